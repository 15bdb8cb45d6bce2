import { CircleCheck, OctagonX, TriangleAlert } from "lucide-react";
import { Figure } from "@/components/ui/facts";
import { Status } from "@/components/ui/status";
import type { Overview } from "@/lib/overview/schema";

const count = new Intl.NumberFormat("en");
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const fine = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2 });

const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);

/** Below this many mails a rate says nothing yet. */
const enoughToJudge = 50;

/** What mailbox providers make of a rate: they look askance at `warn` and refuse mail at `stop`. */
function Health({ rate, warn, stop }: { rate: number | null; warn: number; stop: number }) {
  if (rate === null) return null;
  if (rate >= stop) {
    return (
      <Status tone="danger" icon={OctagonX}>
        Too high
      </Status>
    );
  }
  if (rate >= warn) {
    return (
      <Status tone="warning" icon={TriangleAlert}>
        High
      </Status>
    );
  }
  return (
    <Status tone="success" icon={CircleCheck}>
      Healthy
    </Status>
  );
}

/** The project's figures of the chosen stretch, rates beside their counts. */
export function Figures({ totals }: { totals: Overview["totals"] }) {
  const { sent, delivered } = totals;
  const bounceRate = share(totals.bounced, sent);
  const complaintRate = share(totals.complained, Math.max(delivered + totals.complained, 0));
  const note = (rate: number | null, of: string) =>
    rate === null ? `no mail ${of} yet` : `${percent.format(rate)} of ${of}`;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-6 sm:grid-cols-3 lg:grid-cols-6">
      <Figure
        label="Sent"
        value={count.format(sent)}
        note={
          totals.accepted === 0
            ? "nothing accepted yet"
            : totals.accepted === sent
              ? "all that was accepted"
              : `of ${count.format(totals.accepted)} accepted`
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
        value={bounceRate === null ? "–" : percent.format(bounceRate)}
        note={
          sent >= enoughToJudge ? (
            <Health rate={bounceRate} warn={0.04} stop={0.08} />
          ) : (
            count.format(totals.bounced)
          )
        }
      />
      <Figure
        label="Complaints"
        value={complaintRate === null ? "–" : fine.format(complaintRate)}
        note={
          sent >= enoughToJudge ? (
            <Health rate={complaintRate} warn={0.001} stop={0.003} />
          ) : (
            count.format(totals.complained)
          )
        }
      />
    </dl>
  );
}
