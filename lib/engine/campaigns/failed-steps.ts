import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { passesByItself } from "@/db/errors";
import { campaigns } from "@/db/schema";
import { inEnglish } from "@/lib/ground/texts/kept-text";

/** How many failed steps in a row it takes to give up a campaign: about twenty minutes' worth. */
const mostFailures = 10;
const firstPauseSeconds = 5;
const longestPauseSeconds = 300;

/** What its owner is then told. */
export const hopeless = inEnglish(
  "Sending failed ten times in a row because of a fault on our side. Emails that had not been sent by then were not sent.",
);

/**
 * Postpones the next step of a campaign whose last one failed because of a fault on our side, a little longer each
 * time, so that it does not keep others from their turn. Resolves to whether to give it up.
 */
export async function putOff(db: Database, id: string, error: unknown): Promise<boolean> {
  const failures = passesByItself(error)
    ? sql<number>`${campaigns.failedSteps}`
    : sql<number>`${campaigns.failedSteps} + 1`;
  // A campaign that is given up is due at once.
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
