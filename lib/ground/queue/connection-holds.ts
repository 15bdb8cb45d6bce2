import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { emailQueue, sendingConnections } from "@/db/schema";
import { awake } from "./sender-pauses";

/*
 * Mail outside campaigns whose sending connection is held sleeps indefinitely, as that of paused senders does.
 * Putting it to sleep locks the connection's row, so that none is overlooked when the hold ends.
 */

/** SQL: no hold. */
const free = {
  heldSince: sql`null`,
  heldFault: sql`null`,
  heldWords: sql`null`,
  probeAt: sql`null`,
  toldAt: sql`null`,
};

/**
 * Lets what waits for a held connection go on. Mail that sleeps for another reason wakes with it and is put
 * to sleep again. Resolves to whether it was held.
 */
export async function endConnectionHold(
  tx: Transaction,
  { id, projectId }: { id: string; projectId: string },
): Promise<boolean> {
  const ended = await tx
    .update(sendingConnections)
    .set(free)
    .where(
      and(
        eq(sendingConnections.id, id),
        eq(sendingConnections.projectId, projectId),
        isNotNull(sendingConnections.heldSince),
      ),
    )
    .returning({ id: sendingConnections.id });
  if (ended.length === 0) return false;
  await tx
    .update(emailQueue)
    .set(awake)
    .where(
      and(
        eq(emailQueue.projectId, projectId),
        emailQueue.asleep,
        isNull(emailQueue.campaignId),
        sql`${emailQueue.dueAt} = 'infinity'`,
      ),
    );
  return true;
}
