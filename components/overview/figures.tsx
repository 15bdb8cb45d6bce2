"use client";

import { useProjectPath } from "@/components/api/project-context";
import { CapturedFigures } from "@/components/captured/nothing-leaves";
import { Health } from "@/components/receivers/health";
import { deliveredFigure, shareBase } from "@/components/ui/delivered-words";
import { Figure } from "@/components/ui/description-list";
import { count, finePercent, percent } from "@/components/ui/numbers";
import { t } from "@/lib/ground/texts/t";
import { countChange, rateBefore } from "./comparison";
import type { LogEvent } from "@/lib/domain/emails/terms";
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
          <Health verdict={verdict} over={t("7 days")} />
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
    rate === null
      ? t("nothing {base, select, delivered {delivered} other {accepted}} yet", { base })
      : t("{part} of {base, select, delivered {delivered} other {accepted}}", {
          part: percent(rate),
          base,
        });
  const path = useProjectPath();
  const since = overview.buckets[0]?.at.slice(0, 10) ?? "";
  /** A figure of nothing leads nowhere. */
  const which = (event: LogEvent, number: number) =>
    number > 0 ? path(`emails?event=${event}&startDate=${since}`) : undefined;
  return (
    <div>
      {sent > 0 && <CapturedFigures />}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-6 sm:grid-cols-3 lg:grid-cols-6">
        <Figure
          label={t("Sent")}
          value={count(sent)}
          href={which("sent", sent)}
          note={
            <Note
              of={
                sent === 0
                  ? t("nothing sent yet")
                  : totals.failed === 0
                    ? t("none failed")
                    : t("{failed} more failed", { failed: count(totals.failed) })
              }
              before={countChange(sent, before.totals.sent, range)}
            />
          }
        />
        <Figure label={t("Delivered")} {...deliveredFigure({ ...totals, deliveryConfirmed })} />
        <Figure
          label={t("Opened")}
          value={count(totals.opened)}
          note={<Note of={share(rates.opens)} before={rateBefore(before.rates.opens, range)} />}
        />
        <Figure
          label={t("Clicked")}
          value={count(totals.clicked)}
          note={<Note of={share(rates.clicks)} before={rateBefore(before.rates.clicks, range)} />}
        />
        <Figure
          label={t("Bounced")}
          value={rates.bounces === null ? "–" : percent(rates.bounces)}
          href={which("bounced", totals.bounced)}
          note={
            <Note
              of={t("{share} of sent", { share: count(totals.bounced) })}
              before={rateBefore(before.rates.bounces, range)}
              verdict={health.bounces}
            />
          }
        />
        <Figure
          label={t("Complaints")}
          value={rates.complaints === null ? "–" : finePercent(rates.complaints)}
          href={which("complained", totals.complained)}
          note={
            <Note
              of={t("{part} of {base, select, delivered {delivered} other {accepted}}", {
                part: count(totals.complained),
                base,
              })}
              before={rateBefore(before.rates.complaints, range, finePercent)}
              verdict={health.complaints}
            />
          }
        />
      </dl>
    </div>
  );
}
