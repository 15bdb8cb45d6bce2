"use client";

import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import type { Bar } from "@/components/chart/bars";
import { ChartFigure } from "@/components/chart/chart-figure";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Callout } from "@/components/ui/callout";
import { LinkButton } from "@/components/ui/button";
import { Figure } from "@/components/ui/description-list";
import { count, counted, percent } from "@/components/ui/numbers";
import { PeriodTabs } from "@/components/ui/period-tabs";
import type { Form, FormFigures } from "@/lib/domain/forms/schema";
import { t } from "@/lib/ground/texts/t";
import { useForm } from "./form-header";

const signUpBars = (): Bar<"sent" | "confirmed">[] => [
  { key: "sent", label: t("Sent"), swatch: "bg-control" },
  { key: "confirmed", label: t("Confirmed"), swatch: "bg-accent" },
];
const visitBars = (): Bar<"seen" | "refused">[] => [
  { key: "seen", label: t("Seen"), swatch: "bg-ink" },
  { key: "refused", label: t("Refused"), swatch: "bg-accent" },
];

export const periods = [30, 90, 365] as const;

const share = (part: number, of: number, say: (percent: string) => string) =>
  of > 0 ? { note: say(percent(part / of)) } : {};

/** How a form does: seen, sent and confirmed over a period. */
export function FormResults({
  form: initial,
  figures,
  days,
}: {
  form: Form;
  figures: FormFigures;
  days: number;
}) {
  const path = useProjectPath();
  const form = useForm(initial).data;
  const reading = useRead(
    "GET /v1/forms/{id}/figures",
    { params: { id: form.id }, query: { days } },
    { initial: figures, every: 30_000 },
  );
  const buckets = reading.data.data.map(({ day, ...rest }) => ({
    at: `${day}T00:00:00Z`,
    ...rest,
  }));
  const sum = (figure: "seen" | "sent" | "confirmed" | "refused") =>
    buckets.reduce((total, bucket) => total + bucket[figure], 0);
  const [seen, sent, confirmed, refused] = [
    ...[sum("seen"), sum("sent"), sum("confirmed"), sum("refused")],
  ] as [number, number, number, number];
  const unused = form.figures.seen === 0 && form.figures.sent === 0;
  return (
    <div className="flex flex-col gap-9">
      <NotUpToDate of={reading} title={t("These figures are out of date")} />
      {!form.open && (
        <Callout kind="info" title={t("This form is closed")}>
          {t("Visitors are told that nobody can sign up at the moment.")}
        </Callout>
      )}
      {form.open && unused && (
        <Callout kind="info" title={t("Nobody has seen this form yet")}>
          <p>{t("Link to its page, or put it on your own.")}</p>
          <LinkButton href={path(`forms/${form.id}/share`)} size="sm" className="mt-2">
            {t("Put it on your page")}
          </LinkButton>
        </Callout>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-5">
        <dl className="grid grow grid-cols-2 gap-x-6 gap-y-5 sm:max-w-2xl sm:grid-cols-4">
          <Figure label={t("Seen")} value={count(seen)} />
          <Figure
            label={t("Sent")}
            value={count(sent)}
            {...share(sent, seen, (percent) => t("{percent} of seen", { percent }))}
          />
          <Figure
            label={t("Confirmed")}
            value={count(confirmed)}
            {...share(confirmed, sent, (percent) => t("{percent} of sent", { percent }))}
          />
          <Figure label={t("Refused")} value={count(refused)} note={t("taken for programs")} />
        </dl>
        <PeriodTabs
          periods={periods.map((period) => ({
            label: period === 365 ? t("A year") : counted(period, "day"),
            href: `${path(`forms/${form.id}`)}?days=${period}`,
            current: period === days,
          }))}
        />
      </div>
      <ChartFigure
        title={t("Sign-ups by day")}
        description={t(
          "A sign-up counts as sent on its day, and as confirmed on the day the link in the email was used.",
        )}
        unit={t("Sign-ups")}
        bars={signUpBars()}
        buckets={buckets}
        width="day"
        empty={t("No sign-ups in this period.")}
      />
      <ChartFigure
        title={t("Visits by day")}
        description={t(
          "How often the form was shown, here or on your page. Visitors are not identified, and no cookie is set.",
        )}
        unit={t("Visits")}
        bars={visitBars()}
        buckets={buckets}
        width="day"
        empty={t("Nobody saw the form in this period.")}
      />
    </div>
  );
}
