import { sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { assignments } from "@/db/names";
import { emailQueue, sendingConnections } from "@/db/schema";
import { awake } from "./sender-pauses";

/*
 * Mail outside campaigns whose sending connection is held sleeps without an end, as that of paused senders does.
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
  const ended = await tx.execute(sql`
    update ${sendingConnections} set ${assignments(sendingConnections, free)}
    where ${sendingConnections.id} = ${id} and ${sendingConnections.projectId} = ${projectId}
      and ${sendingConnections.heldSince} is not null returning 1 as ended`);
  if (ended.length === 0) return false;
  await tx.execute(sql`
    update ${emailQueue} set ${assignments(emailQueue, awake)}
    where ${emailQueue.projectId} = ${projectId} and ${emailQueue.asleep}
      and ${emailQueue.campaignId} is null and ${emailQueue.dueAt} = 'infinity'`);
  return true;
}
