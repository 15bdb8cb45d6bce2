import { CircleCheck, OctagonX, TriangleAlert } from "lucide-react";
import { deliveredFigure } from "@/components/ui/delivered-words";
import { Figure } from "@/components/ui/description-list";
import { count, finePercent, percent } from "@/components/ui/numbers";
import { Status } from "@/components/ui/status";
import type { Overview, Verdict } from "@/lib/domain/overview/schema";

const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);

const looks = {
  healthy: { tone: "success", icon: CircleCheck, word: "Healthy" },
  high: { tone: "warning", icon: TriangleAlert, word: "High" },
  tooHigh: { tone: "danger", icon: OctagonX, word: "Too high" },
} as const;

/** How mailbox providers judge the last seven days. */
function Health({ verdict }: { verdict: Verdict }) {
  const { tone, icon, word } = looks[verdict];
  return (
    <Status tone={tone} icon={icon}>
      {word} over 7 days
    </Status>
  );
}

/** What a rate is a share of, and how it is judged (null: too little was sent). */
function Rate({ of, verdict }: { of: string; verdict: Verdict | null }) {
  return (
    <>
      {of}
      {verdict && (
        <span className="mt-0.5 block">
          <Health verdict={verdict} />
        </span>
      )}
    </>
  );
}

/** The project's figures for the chosen period, rates beside their counts. */
export function Figures({ totals, rates, health }: Pick<Overview, "totals" | "rates" | "health">) {
  const { sent, delivered } = totals;
  const note = (rate: number | null, of: string) =>
    rate === null ? `nothing ${of} yet` : `${percent(rate)} of ${of}`;
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
      <Figure label="Delivered" {...deliveredFigure(totals)} />
      <Figure
        label="Opened"
        value={count(totals.opened)}
        note={note(share(totals.opened, delivered), "delivered")}
      />
      <Figure
        label="Clicked"
        value={count(totals.clicked)}
        note={note(share(totals.clicked, delivered), "delivered")}
      />
      <Figure
        label="Bounced"
        value={rates.bounces === null ? "–" : percent(rates.bounces)}
        note={<Rate of={`${count(totals.bounced)} of sent`} verdict={health.bounces} />}
      />
      <Figure
        label="Complaints"
        value={rates.complaints === null ? "–" : finePercent(rates.complaints)}
        note={<Rate of={`${count(totals.complained)} of delivered`} verdict={health.complaints} />}
      />
    </dl>
  );
}
