"use client";

import { useProjectPath } from "@/components/api/project-context";
import { Health } from "@/components/receivers/health";
import { deliveredFigure, shareBase } from "@/components/ui/delivered-words";
import { Figure } from "@/components/ui/description-list";
import { count, finePercent, percent } from "@/components/ui/numbers";
import { countChange, rateBefore } from "./comparison";
import type { LogEvent } from "@/lib/domain/emails/schema";
import type { Overview } from "@/lib/domain/overview/schema";
import type { Verdict } from "@/lib/domain/receivers/provider-figures-schema";

/** What a figure is a share of, what it was before, and how it is judged (null: too little was sent). */
function Note({
  of,
  before,
  verdict = null,
}: {
  of: string;
  before: string | null;
  verdict?: Verdict | null;
}) {
  return (
    <>
      {of}
      {before && <span className="block">{before}</span>}
      {verdict && (
        <span className="mt-0.5 block">
          <Health verdict={verdict} over="7 days" />
        </span>
      )}
    </>
  );
}

/** The project's figures for the chosen period, rates beside their counts. */
export function Figures({ overview }: { overview: Overview }) {
  const { range, totals, before, rates, health, deliveryConfirmed } = overview;
  const { sent } = totals;
  const base = shareBase(overview);
  const share = (rate: number | null) =>
    rate === null ? `nothing ${base} yet` : `${percent(rate)} of ${base}`;
  const path = useProjectPath();
  const since = overview.buckets[0]?.at.slice(0, 10) ?? "";
  /** A figure of nothing leads nowhere. */
  const which = (event: LogEvent, number: number) =>
    number > 0 ? path(`emails?event=${event}&startDate=${since}`) : undefined;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-6 sm:grid-cols-3 lg:grid-cols-6">
      <Figure
        label="Sent"
        value={count(sent)}
        href={which("sent", sent)}
        note={
          <Note
            of={
              sent === 0
                ? "nothing sent yet"
                : totals.failed === 0
                  ? "none failed"
                  : `${count(totals.failed)} more failed`
            }
            before={countChange(sent, before.totals.sent, range)}
          />
        }
      />
      <Figure label="Delivered" {...deliveredFigure({ ...totals, deliveryConfirmed })} />
      <Figure
        label="Opened"
        value={count(totals.opened)}
        note={<Note of={share(rates.opens)} before={rateBefore(before.rates.opens, range)} />}
      />
      <Figure
        label="Clicked"
        value={count(totals.clicked)}
        note={<Note of={share(rates.clicks)} before={rateBefore(before.rates.clicks, range)} />}
      />
      <Figure
        label="Bounced"
        value={rates.bounces === null ? "–" : percent(rates.bounces)}
        href={which("bounced", totals.bounced)}
        note={
          <Note
            of={`${count(totals.bounced)} of sent`}
            before={rateBefore(before.rates.bounces, range)}
            verdict={health.bounces}
          />
        }
      />
      <Figure
        label="Complaints"
        value={rates.complaints === null ? "–" : finePercent(rates.complaints)}
        href={which("complained", totals.complained)}
        note={
          <Note
            of={`${count(totals.complained)} of ${base}`}
            before={rateBefore(before.rates.complaints, range, finePercent)}
            verdict={health.complaints}
          />
        }
      />
    </dl>
  );
}
