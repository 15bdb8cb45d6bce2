import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { sqlState } from "@/db/errors";
import { campaigns } from "@/db/schema";

/** Steps that failed in a row after which the campaign is given up: about twenty minutes. */
const mostFailures = 10;
const firstPauseSeconds = 5;
const longestPauseSeconds = 300;

/** What its owner is told then. */
export const hopeless =
  "Sending failed ten times in a row because of a fault on our side. Emails that had not been sent by then were not sent.";

/** Classes of SQLSTATE that pass by themselves: connections, locks, room, an operator's doing. */
const passing = new Set(["08", "40", "53", "55", "57", "58"]);

/** Whether the database was away or busy: that says nothing against the campaign. */
function passes(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return passing.has(state.slice(0, 2));
  for (let cause = error; typeof cause === "object" && cause !== null;) {
    const { code } = cause as { code?: unknown };
    if (typeof code === "string" && /^(CONNECT|E[A-Z]+$)/.test(code)) return true;
    cause = (cause as { cause?: unknown }).cause;
  }
  return false;
}

/**
 * Puts the next step of a campaign off whose last one failed by a fault of ours, longer from time to time,
 * so that it keeps no others from their turn. Resolves to whether it is to be given up.
 */
export async function putOff(db: Database, id: string, error: unknown): Promise<boolean> {
  const failures = passes(error)
    ? sql<number>`${campaigns.failedSteps}`
    : sql<number>`${campaigns.failedSteps} + 1`;
  // One that is given up is due at once.
  const pause = sql`case when ${failures} >= ${mostFailures} then 0 else
    least(${longestPauseSeconds}::float8, ${firstPauseSeconds}::float8 * 2 ^ ${campaigns.failedSteps}) end`;
  const [row] = await db
    .update(campaigns)
    .set({
      failedSteps: failures,
      dueAt: sql`app_now() + make_interval(secs => ${pause})`,
    })
    .where(and(eq(campaigns.id, id), isNotNull(campaigns.dueAt)))
    .returning({ failures: campaigns.failedSteps });
  return (row?.failures ?? 0) >= mostFailures;
}
