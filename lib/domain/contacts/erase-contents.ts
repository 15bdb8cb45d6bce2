import { and, asc, inArray, isNull, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { assignments } from "@/db/names";
import {
  capturedEmails,
  emails,
  mailAboutContacts,
  messageAttachments,
  messages,
} from "@/db/schema";
import { failureData } from "@/lib/ground/events/failure-data";
import { endWaitingMail } from "./end-waiting-mail";

/** Messages that one statement looks at. */
const atOnce = 1_000;

/** Takes out of these messages (uuids) whatever the mail said. What lists and figures need stays. */
async function clearContents(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    with files as (
      delete from ${messageAttachments}
      where ${messageAttachments.messageId} = any(${sql.param(ids)}::uuid[])
    )
    update ${messages} set ${assignments(messages, {
      ...{ subject: sql`''`, html: sql`null`, text: sql`null`, data: sql`null` },
      ...{ headers: sql`null`, metadata: sql`null`, replyTo: sql`null`, previewText: sql`null` },
      contentDeletedAt: sql`coalesce(${messages.contentDeletedAt}, app_now())`,
    })} where ${messages.id} = any(${sql.param(ids)}::uuid[])`);
}

/**
 * Deletes what was said to erased people alone: the contents of these messages (uuids), but for those that somebody
 * who is still there got, or gets, too. Their emails name them no longer. Campaigns' contents stay.
 */
export async function eraseContents(tx: Transaction, messageIds: readonly string[]): Promise<void> {
  for (let from = 0; from < messageIds.length; from += atOnce) {
    // Two who shared a message may be erased at once: the second waits here, and then sees that nobody is left.
    const locked = await tx
      .select({ id: messages.id })
      .from(messages)
      .where(
        and(
          inArray(messages.id, messageIds.slice(from, from + atOnce)),
          isNull(messages.campaignId),
        ),
      )
      .orderBy(asc(messages.id))
      .for("update");
    // A message outside campaigns has the time of its emails: the log's index finds them.
    const alone = await tx.execute<{ id: string }>(sql`
      select ${messages.id} from ${messages}
      where ${messages.id} = any(${sql.param(locked.map(({ id }) => id))}::uuid[]) and (
        select true from ${emails}
        where ${emails.projectId} = ${messages.projectId} and ${emails.createdAt} = ${messages.createdAt}
          and ${emails.messageId} = ${messages.id}
          and (${emails.recipient} is not null or ${emails.contactId} is not null)
        limit 1) is null`);
    await clearContents(
      tx,
      alone.map(({ id }) => id),
    );
  }
}

/** Deletes what our own mail told others of erased people (uuids); what waits of it is not sent. */
export async function eraseMailAbout(
  tx: Transaction,
  contactIds: readonly string[],
): Promise<void> {
  const about = await tx
    .select({ id: mailAboutContacts.messageId })
    .from(mailAboutContacts)
    .where(inArray(mailAboutContacts.contactId, [...contactIds]))
    .orderBy(asc(mailAboutContacts.messageId));
  if (about.length === 0) return;
  const ids = about.map(({ id }) => id);
  const sent = await tx.execute<{ id: string }>(sql`
    select ${emails.id} from ${messages} join ${emails}
      on ${emails.projectId} = ${messages.projectId} and ${emails.createdAt} = ${messages.createdAt}
      and ${emails.messageId} = ${messages.id}
    where ${messages.id} = any(${sql.param(ids)}::uuid[])`);
  const mail = sent.map(({ id }) => id);
  await tx.delete(capturedEmails).where(inArray(capturedEmails.emailId, mail));
  const waiting = sql`
    select ${emails.id} from ${emails}
    where ${emails.id} = any(${sql.param(mail)}::uuid[]) and ${emails.status} = 'PENDING'`;
  await endWaitingMail(tx, waiting, failureData("contact_deleted"));
  await tx.update(emails).set({ subject: null }).where(inArray(emails.id, mail));
  await clearContents(tx, ids);
}
