import { Health } from "@/components/receivers/health";
import { deliveredFigure, shareBase } from "@/components/ui/delivered-words";
import { Figure } from "@/components/ui/description-list";
import { count, finePercent, percent } from "@/components/ui/numbers";
import type { Overview } from "@/lib/domain/overview/schema";
import type { Verdict } from "@/lib/domain/receivers/provider-figures-schema";

/** What a rate is a share of, and how it is judged (null: too little was sent). */
function Rate({ of, verdict }: { of: string; verdict: Verdict | null }) {
  return (
    <>
      {of}
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
  const { totals, rates, health, deliveryConfirmed } = overview;
  const { sent } = totals;
  const base = shareBase(overview);
  const note = (rate: number | null) =>
    rate === null ? `nothing ${base} yet` : `${percent(rate)} of ${base}`;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-6 sm:grid-cols-3 lg:grid-cols-6">
      <Figure
        label="Sent"
        value={count(sent)}
        note={
          sent === 0
            ? "nothing sent yet"
            : totals.failed === 0
              ? "none failed"
              : `${count(totals.failed)} more failed`
        }
      />
      <Figure label="Delivered" {...deliveredFigure({ ...totals, deliveryConfirmed })} />
      <Figure label="Opened" value={count(totals.opened)} note={note(rates.opens)} />
      <Figure label="Clicked" value={count(totals.clicked)} note={note(rates.clicks)} />
      <Figure
        label="Bounced"
        value={rates.bounces === null ? "–" : percent(rates.bounces)}
        note={<Rate of={`${count(totals.bounced)} of sent`} verdict={health.bounces} />}
      />
      <Figure
        label="Complaints"
        value={rates.complaints === null ? "–" : finePercent(rates.complaints)}
        note={<Rate of={`${count(totals.complained)} of ${base}`} verdict={health.complaints} />}
      />
    </dl>
  );
}
