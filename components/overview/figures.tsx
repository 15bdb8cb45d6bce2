import { CircleCheck, OctagonX, TriangleAlert } from "lucide-react";
import { Figure } from "@/components/ui/facts";
import { Status } from "@/components/ui/status";
import type { Overview, Verdict } from "@/lib/domain/overview/schema";

const count = new Intl.NumberFormat("en");
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const fine = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2 });

const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);

const looks = {
  healthy: { tone: "success", icon: CircleCheck, word: "Healthy" },
  high: { tone: "warning", icon: TriangleAlert, word: "High" },
  tooHigh: { tone: "danger", icon: OctagonX, word: "Too high" },
} as const;

/** What mailbox providers make of the last seven days. */
function Health({ verdict }: { verdict: Verdict }) {
  const { tone, icon, word } = looks[verdict];
  return (
    <Status tone={tone} icon={icon}>
      {word} over 7 days
    </Status>
  );
}

/** The project's figures of the chosen stretch, rates beside their counts. */
export function Figures({ totals, rates, health }: Pick<Overview, "totals" | "rates" | "health">) {
  const { sent, delivered } = totals;
  const note = (rate: number | null, of: string) =>
    rate === null ? `no mail ${of} yet` : `${percent.format(rate)} of ${of}`;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-6 sm:grid-cols-3 lg:grid-cols-6">
      <Figure
        label="Sent"
        value={count.format(sent)}
        note={
          sent === 0
            ? "nothing sent yet"
            : totals.failed === 0
              ? "none failed"
              : `${count.format(totals.failed)} more failed`
        }
      />
      <Figure
        label="Delivered"
        value={count.format(delivered)}
        note={note(share(delivered, sent), "sent")}
      />
      <Figure
        label="Opened"
        value={count.format(totals.opened)}
        note={note(share(totals.opened, delivered), "delivered")}
      />
      <Figure
        label="Clicked"
        value={count.format(totals.clicked)}
        note={note(share(totals.clicked, delivered), "delivered")}
      />
      <Figure
        label="Bounced"
        value={rates.bounces === null ? "–" : percent.format(rates.bounces)}
        note={health.bounces ? <Health verdict={health.bounces} /> : count.format(totals.bounced)}
      />
      <Figure
        label="Complaints"
        value={rates.complaints === null ? "–" : fine.format(rates.complaints)}
        note={
          health.complaints ? (
            <Health verdict={health.complaints} />
          ) : (
            count.format(totals.complained)
          )
        }
      />
    </dl>
  );
}
