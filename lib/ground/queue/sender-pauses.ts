import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { assignments } from "@/db/names";
import { emailQueue, emails, messages, senderPauses } from "@/db/schema";
import { newPlace } from "./email-queue";

/*
 * Mail outside campaigns whose sender the mail server refuses sleeps indefinitely (due_at is infinity) while
 * sender_pauses has a row for it. Putting mail to sleep locks that row, so that none is overlooked when the row goes.
 */

/** Due now, behind everything that waits. */
export const awake = { asleep: sql`false`, dueAt: sql`app_now()`, place: newPlace };

const isAsleep = sql`${emailQueue.asleep} and ${emailQueue.campaignId} is null`;
/** SQL: the row of the queue sleeps because of its sender's pause. */
export const isHeldBack = sql`${isAsleep} and ${emailQueue.dueAt} = 'infinity'`;

/** SQL: sleeping mail of a sender, outside campaigns: rows of the queue with their emails and messages. */
const asleepOf = (project: SQL, domain: SQL) => sql`${emailQueue}
  join ${emails} on ${emails.id} = ${emailQueue.emailId}
  join ${messages} on ${messages.id} = ${emails.messageId}
  where ${isAsleep} and ${emailQueue.projectId} = ${project} and ${messages.domainId} = ${domain}`;

/** SQL: the part of it that sleeps because of the sender's pause. */
export const heldBack = (project: SQL, domain: SQL) =>
  sql`${asleepOf(project, domain)} and ${isHeldBack}`;

/**
 * Lets all of the sender's mail go on, and mail refused before the pause be tried again. Says whether it was paused.
 */
export async function endSenderPause(
  tx: Transaction,
  sender: { projectId: string; domainId: string },
): Promise<boolean> {
  const ended = await tx
    .delete(senderPauses)
    .where(
      and(eq(senderPauses.domainId, sender.domainId), eq(senderPauses.projectId, sender.projectId)),
    )
    .returning({ domainId: senderPauses.domainId });
  if (ended.length === 0) return false;
  await tx.execute(sql`
    update ${emailQueue} set ${assignments(emailQueue, awake)} where ${emailQueue.emailId} = any(array(
      select ${emailQueue.emailId} from ${asleepOf(sql`${sender.projectId}`, sql`${sender.domainId}`)}
        and (${emailQueue.dueAt} = 'infinity' or ${emailQueue.attempts} > 0)))`);
  return true;
}
