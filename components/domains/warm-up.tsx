"use client";

import { useState } from "react";
import { useMay } from "@/components/api/project-context";
import { useApi } from "@/components/api/use-api";
import { useRead } from "@/components/api/use-read";
import { hatched, type Bar } from "@/components/chart/bars";
import { ChartFigure } from "@/components/chart/chart-figure";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { barTime } from "@/components/ui/dates";
import { ConfirmAction } from "@/components/form/confirm-action";
import { Figure } from "@/components/ui/description-list";
import { count, percent } from "@/components/ui/numbers";
import { Section } from "@/components/ui/page-header";
import type { Domain } from "@/lib/domain/sending-domains/schema";
import type { Warmup } from "@/lib/domain/warm-up/schema";
import { rich } from "@/components/ui/rich";
import { t } from "@/lib/ground/texts/t";
import { warmupDays, type DayKey } from "./warm-up-days";
import { WarmupPlan } from "./warm-up-plan";

const bars = (): readonly Bar<DayKey>[] => [
  {
    key: "transactional",
    label: t("Transactional"),
    swatch: "bg-accent",
  },
  { key: "campaigns", label: t("Campaigns"), swatch: "bg-ink" },
  { key: "open", label: t("Left of the cap"), swatch: hatched },
];

/** A domain's plan: what it lets out today, what waits, and how it goes on. */
export function DomainWarmup({ domain, initial }: { domain: Domain; initial: Warmup }) {
  const reading = useRead(
    "GET /v1/domains/{id}/warmup",
    { params: { id: domain.id } },
    { initial, every: (seen) => (seen?.enabled ? 10_000 : 60_000) },
  );
  const warmup = reading.data;
  const may = useMay("admin");
  const [editing, setEditing] = useState(false);
  return (
    <Section
      title={t("Warm-up")}
      description={t(
        "Mailbox providers distrust domains that suddenly send a lot. A warm-up lets campaign mail grow day by day, the most engaged people first. Transactional mail counts and never waits.",
      )}
      actions={
        may && (
          <>
            {warmup.enabled && <TurnOff domain={domain} warmup={warmup} />}
            <Button onClick={() => setEditing(true)}>
              {warmup.enabled ? t("Change plan") : t("Start a warm-up")}
            </Button>
          </>
        )
      }
    >
      <NotUpToDate of={reading} />
      {warmup.enabled ? <Running warmup={warmup} /> : <Off may={may} />}
      {editing && <WarmupPlan domain={domain} warmup={warmup} onClose={() => setEditing(false)} />}
    </Section>
  );
}

function Off({ may }: { may: boolean }) {
  return (
    <p className="mt-3 max-w-2xl border-l-4 border-rule-strong pl-3 text-sm text-soft">
      {may
        ? t(
            "Off: campaigns go out as fast as the mail server takes them. Start a warm-up if this domain is new, or has not sent for a month.",
          )
        : t("Off: campaigns go out as fast as the mail server takes them.")}
    </p>
  );
}

function Running({ warmup }: { warmup: Warmup }) {
  if (warmup.state === "done") {
    return (
      <div className="mt-4">
        <Callout kind="success" title={t("The warm-up is complete")}>
          {t(
            "Nothing is held back any more. If the domain does not send for 30 days, the plan begins again.",
          )}
        </Callout>
      </div>
    );
  }
  return (
    <div className="mt-4 flex flex-col gap-6">
      {warmup.slowed && (
        <Callout
          kind="warning"
          title={t("Slowed down to {share} of the plan", { share: percent(warmup.slowed.share) })}
        >
          {warmup.slowed.message}{" "}
          {t("The cap recovers day by day while the results are good, and then the plan goes on.")}
        </Callout>
      )}
      <SlowedReceivers of={warmup.slowedReceivers} />
      <Today warmup={warmup} />
      <ChartFigure
        title={t("Emails by day")}
        description={t("Days are UTC days.")}
        unit={t("Emails")}
        bars={bars()}
        buckets={warmupDays(warmup)}
        width="day"
        stacked
        summed={false}
        empty={t("No emails yet.")}
      />
    </div>
  );
}

function SlowedReceivers({ of }: { of: Warmup["slowedReceivers"] }) {
  if (of.length === 0) return null;
  return (
    <Callout
      kind="warning"
      title={t("{count, plural, one {One receiver gets less} other {# receivers get less}}", {
        count: of.length,
      })}
    >
      <p>
        {t(
          "Everybody else’s mail goes on as planned and takes the room they leave. What they get doubles with each good day.",
        )}
      </p>
      <ul className="mt-2 flex flex-col gap-2">
        {of.map(({ receiver, dailyCap, sentToday, message, until }) => (
          <li key={receiver}>
            {rich(
              "<b>{receiver}</b>: {sent} of {cap, plural, one {# email} other {# emails}} today. {message} While its mail does well, it gets less until {until}.",
              {
                b: (words) => <span className="font-medium">{words}</span>,
                receiver,
                sent: count(sentToday),
                cap: dailyCap,
                message,
                until: barTime(until, "day", "axis"),
              },
            )}
          </li>
        ))}
      </ul>
    </Callout>
  );
}

function Today({ warmup }: { warmup: Warmup }) {
  const { today, dailyCap, hourlyCap, day, schedule, waiting, endsOn } = warmup;
  const sent = today.transactional + today.campaigns;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-4">
      <Figure
        label={t("Day")}
        value={t("{day} of {days}", { day: day ?? "–", days: schedule.length })}
        note={endsOn && t("until {day}", { day: barTime(endsOn, "day", "axis") })}
      />
      <Figure
        label={t("Sent today")}
        value={count(sent)}
        note={t("{campaigns} campaign, {transactional} transactional", {
          campaigns: count(today.campaigns),
          transactional: count(today.transactional),
        })}
      />
      <Figure
        label={t("Cap today")}
        value={count(dailyCap ?? 0)}
        note={t("{count} an hour at most", { count: count(hourlyCap ?? 0) })}
      />
      <Figure
        label={t("Waiting")}
        value={count(waiting)}
        note={waiting === 0 ? t("nothing is held back") : t("campaign emails")}
      />
    </dl>
  );
}

function TurnOff({ domain, warmup }: { domain: Domain; warmup: Warmup }) {
  const api = useApi();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t("Turn off")}</Button>
      <ConfirmAction
        open={open}
        onClose={() => setOpen(false)}
        title={t("Turn off the warm-up of {name}?", { name: domain.name })}
        action={t("Turn off")}
        run={() =>
          api("PUT /v1/domains/{id}/warmup", {
            params: { id: domain.id },
            body: { enabled: false },
          })
        }
        done={t("The warm-up is off")}
      >
        {warmup.waiting > 0
          ? t(
              "{count, plural, one {# email that waits for it} other {# emails that wait for it}} will go out at once. Mailbox providers may refuse mail from a domain whose volume jumps.",
              { count: warmup.waiting },
            )
          : t(
              "From then on campaigns go out without a cap. Mailbox providers may refuse mail from a domain whose volume jumps.",
            )}
      </ConfirmAction>
    </>
  );
}
