"use client";

import { LogOut } from "lucide-react";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { hatched, type Bar } from "@/components/chart/bars";
import { ChartFigure } from "@/components/chart/chart-figure";
import { reasons } from "@/components/contacts/subscription-words";
import { EmptyState } from "@/components/list-page/empty-state";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import type { Departures, DepartureScope } from "@/lib/domain/departures/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { daysSince, throughWords } from "./departure-words";
import { ShareTable, type Share } from "./share-table";

const bars = (): readonly Bar<DepartureScope>[] => [
  { key: "everything", label: t("Everything"), swatch: "bg-accent" },
  { key: "list", label: t("One list"), swatch: "bg-ink" },
  { key: "topic", label: t("One topic"), swatch: hatched },
];

const scopeNames: Record<DepartureScope, string> = phrases({
  everything: "Everything",
  list: "A list",
  topic: "A topic",
});

type Named = Departures["campaigns"];

/** Where and why people left since a day; starts with what the server read, then keeps itself up to date. */
export function DeparturesView({ initial, startDate }: { initial: Departures; startDate: string }) {
  const path = useProjectPath();
  const reading = useRead(
    "GET /v1/contacts/departures",
    { query: { startDate } },
    { initial, every: 60_000 },
  );
  const { days, people, ...by } = reading.data;
  if (people === 0) {
    return (
      <EmptyState icon={LogOut} title={t("Nobody has left")}>
        {t(
          "Nobody unsubscribed in this period. Anyone who leaves everything, a list or a topic is counted here.",
        )}
      </EmptyState>
    );
  }
  const things = (rows: Named, deleted: string, href: (id: string) => string | null): Share[] =>
    rows.map(({ id, name, people: left }) => ({
      key: id,
      label: name ?? deleted,
      href: name === null ? null : href(id),
      people: left,
    }));
  const everybodyGone = path("contacts?state=unsubscribed");
  return (
    <>
      <NotUpToDate of={reading} title={t("These figures are out of date")} />
      <ChartFigure
        title={t("People who left, by day")}
        unit={t("People")}
        bars={bars()}
        buckets={daysSince(startDate, days)}
        width="day"
        stacked
        empty={t("Nobody left in this period.")}
      />
      <div className="mt-9 grid gap-x-10 gap-y-9 lg:grid-cols-2">
        <ShareTable
          title={t("What they left")}
          of={people}
          rows={by.scopes.map(({ scope, people: left }) => ({
            key: scope,
            label: scopeNames[scope],
            href: scope === "everything" ? everybodyGone : null,
            people: left,
          }))}
        />
        <ShareTable
          title={t("Why they left everything")}
          of={by.reasons.reduce((sum, row) => sum + row.people, 0)}
          rows={by.reasons.map(({ reason, people: left }) => ({
            key: reason ?? "",
            label: reason === null ? t("Gave no reason") : sentence(reasons[reason] ?? reason),
            href: null,
            people: left,
          }))}
        />
        <ShareTable
          title={t("By which campaign")}
          of={people}
          rows={things(by.campaigns, t("A deleted campaign"), (id) => path(`campaigns/${id}`))}
        />
        <ShareTable
          title={t("Which list")}
          of={people}
          rows={things(by.lists, t("A deleted list"), (id) =>
            path(`lists/${id}?status=unsubscribed`),
          )}
        />
        <ShareTable
          title={t("Which topic")}
          of={people}
          rows={things(by.topics, t("A deleted topic"), () => null)}
        />
        <ShareTable
          title={t("Which form they had used to join")}
          of={people}
          rows={things(by.forms, t("A deleted form"), (id) => path(`forms/${id}`))}
        />
        <ShareTable
          title={t("How they left")}
          of={people}
          rows={by.through.map(({ type, people: left }) => ({
            key: type,
            label: throughWords[type],
            href: null,
            people: left,
          }))}
        />
      </div>
    </>
  );
}

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
