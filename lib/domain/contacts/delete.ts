import { and, eq, inArray, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import { assignments, insertSelected } from "@/db/names";
import {
  capturedEmails,
  consentChanges,
  consentTexts,
  contactChanges,
  contactImportRows,
  contactImports,
  contactNotes,
  contacts,
  emailEvents,
  emailQueue,
  emails,
  formSignUps,
  idempotencyKeys,
  inboundEmails,
  links,
  personRequests,
  projectEvents,
  webhookDeliveries,
} from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { addFigures } from "@/lib/ground/counters/counters";
import {
  emailEventColumns,
  emailEventDeliveries,
  emitEvents,
  wakeDeliveries,
} from "@/lib/ground/events/emit";
import { failureData } from "@/lib/ground/events/failure-data";
import { encodeId } from "@/lib/ground/ids/ids";
import { queuedIn } from "@/lib/ground/queue/email-queue";
import { findContactRow } from "./contacts";
import { rememberHash } from "./forgotten";
import type { ContactRow } from "./rows";

/** Waiting mail ends as FAILED, with its event, figures and webhook deliveries. */
async function stopWaitingMail(tx: Transaction, contactId: string): Promise<void> {
  const failure = JSON.stringify(failureData("contact_deleted"));
  await tx.execute(sql`
    with pending as materialized (
      select ${emails.id} from ${emails}
      where ${emails.contactId} = ${contactId} and ${emails.status} = 'PENDING'
    ), gone as (
      delete from ${emailQueue}
      where ${queuedIn("pending", "id")} and ${emailQueue.leaseId} is null
      returning ${emailQueue.emailId}, ${emailQueue.attempts}
    ), stopped as (
      update ${emails} set ${assignments(emails, {
        status: sql`'FAILED'`,
        attempts: sql`gone.attempts`,
      })}
      from gone where ${emails.id} = gone.email_id
      returning ${emails.id}, ${emails.projectId}, ${emails.campaignId}, ${emails.variant},
        1 as settled, 1 as failed
    ), counted as (${addFigures("stopped", ["settled", "failed"], { variants: true })}
    ), event as (
      ${insertSelected(emailEvents, {
        projectId: sql`project_id`,
        emailId: sql`id`,
        name: sql`'failed'`,
        data: sql`${failure}::jsonb`,
      })} from stopped
      returning ${emailEventColumns}
    ), deliveries as (${emailEventDeliveries(sql`event`)})
    select ${wakeDeliveries(sql`deliveries`)}`);
}

/** Answers are kept for a day and then deleted by a job. */
const answersKeptDays = 2;

/**
 * Takes the address out of answers kept for idempotency keys. An answer is written in the transaction that accepts
 * its mail, so both have the same time: only a few are examined, however many the project has.
 */
async function eraseFromAnswers(
  tx: Transaction,
  projectId: string,
  { id, email }: Pick<ContactRow, "id" | "email">,
): Promise<void> {
  const quoted = JSON.stringify(email);
  await tx
    .update(idempotencyKeys)
    .set({ response: sql`replace(${idempotencyKeys.response}, ${quoted}, '""')` })
    .where(
      and(
        eq(idempotencyKeys.projectId, projectId),
        sql`${idempotencyKeys.createdAt} = any(array(
          select ${emails.createdAt} from ${emails} where ${emails.contactId} = ${id}
            and ${emails.createdAt} > app_now() - make_interval(days => ${answersKeptDays})))`,
        sql`strpos(${idempotencyKeys.response}, ${quoted}) > 0`,
      ),
    );
}

/** Takes the address out of whatever quotes it; records of mail keep their figures. */
async function erase(
  tx: Transaction,
  projectId: string,
  { id, email }: Pick<ContactRow, "id" | "email">,
): Promise<void> {
  const ofContact = tx.select({ id: emails.id }).from(emails).where(eq(emails.contactId, id));
  const messagesOfContact = tx
    .select({ id: emails.messageId })
    .from(emails)
    .where(eq(emails.contactId, id));
  await tx.delete(capturedEmails).where(inArray(capturedEmails.emailId, ofContact));
  // Mail sent around the log belongs to none of its rows.
  await tx
    .delete(capturedEmails)
    .where(
      and(
        eq(capturedEmails.projectId, projectId),
        isNull(capturedEmails.emailId),
        sql`lower(${capturedEmails.envelopeTo}) = lower(${email})`,
      ),
    );
  // Somebody else may have asked for mail at that address, or used it before.
  await tx.delete(personRequests).where(
    and(
      eq(personRequests.projectId, projectId),
      isNotNull(personRequests.email),
      sql`(lower(${personRequests.email}) = lower(${email})
          or lower(${personRequests.previousEmail}) = lower(${email}))`,
    ),
  );
  // Events may quote the address (a server's answer does): their text is removed, the figures stay.
  await tx
    .update(emailEvents)
    .set({ data: {} })
    .where(and(inArray(emailEvents.emailId, ofContact), ne(emailEvents.data, {})));
  // Links that Liquid generated for this person may contain the address, plain or encoded.
  await tx.delete(links).where(
    and(
      inArray(links.messageId, messagesOfContact),
      sql`(strpos(lower(${links.url}), lower(${email})) > 0
        or strpos(lower(${links.url}), lower(${encodeURIComponent(email)})) > 0)`,
    ),
  );
  await tx
    .update(webhookDeliveries)
    .set({ data: {}, responseBody: null })
    .where(
      or(eq(webhookDeliveries.subjectId, id), inArray(webhookDeliveries.subjectId, ofContact)),
    );
  await tx.update(projectEvents).set({ data: {} }).where(eq(projectEvents.subjectId, id));
  // Anything this person wrote may name them anywhere.
  await tx
    .delete(inboundEmails)
    .where(
      and(
        eq(inboundEmails.projectId, projectId),
        or(
          eq(inboundEmails.contactId, id),
          sql`lower(${inboundEmails.fromEmail}) = lower(${email})`,
        ),
      ),
    );
  await tx
    .delete(formSignUps)
    .where(
      and(eq(formSignUps.projectId, projectId), sql`lower(${formSignUps.email}) = lower(${email})`),
    );
  await stopWaitingMail(tx, id);
  await eraseFromAnswers(tx, projectId, { id, email });
  await tx
    .update(emails)
    .set({ contactId: null, recipient: null, recipientName: null, subject: null })
    .where(eq(emails.contactId, id));
  const imports = tx
    .select({ id: contactImports.id })
    .from(contactImports)
    .where(eq(contactImports.projectId, projectId));
  await tx
    .delete(contactImportRows)
    .where(
      and(
        inArray(contactImportRows.importId, imports),
        sql`lower(${contactImportRows.email}) = lower(${email})`,
      ),
    );
}

/**
 * The texts this person read that contain their address: early confirmations did, and nobody else has read those.
 */
async function forgetTexts(
  tx: Transaction,
  projectId: string,
  { id, email }: Pick<ContactRow, "id" | "email">,
): Promise<void> {
  const read = tx
    .select({ hash: consentChanges.textHash })
    .from(consentChanges)
    .where(and(eq(consentChanges.projectId, projectId), eq(consentChanges.contactId, id)));
  await tx
    .delete(consentTexts)
    .where(
      and(
        eq(consentTexts.projectId, projectId),
        inArray(consentTexts.hash, read),
        sql`strpos(lower(${consentTexts.text}), lower(${email})) > 0`,
      ),
    );
}

/**
 * Deletes a contact for good; the caller has locked its row. The address is removed from every table, waiting mail
 * is not sent, and email records keep their figures. A keyed hash stays.
 */
export async function eraseContact(
  tx: Transaction,
  ctx: Pick<Context, "projectId" | "actor" | "requestId">,
  row: Pick<ContactRow, "id" | "email">,
  details: Record<string, unknown> = {},
): Promise<void> {
  await rememberHash(tx, ctx.projectId, row);
  await erase(tx, ctx.projectId, row);
  // The history is append-only, except for this person's in this transaction.
  await tx.execute(sql`select set_config('lettermill.erased_contact', ${row.id}, true),
    set_config('lettermill.erased_address', ${row.email}, true)`);
  await forgetTexts(tx, ctx.projectId, row);
  await tx
    .delete(consentChanges)
    .where(and(eq(consentChanges.projectId, ctx.projectId), eq(consentChanges.contactId, row.id)));
  await tx.delete(contacts).where(eq(contacts.id, row.id));
  await tx.delete(contactChanges).where(eq(contactChanges.contactId, row.id));
  await tx.delete(contactNotes).where(eq(contactNotes.contactId, row.id));
  const contactId = encodeId("contact", row.id);
  await emitEvents(tx, [
    { projectId: ctx.projectId, type: "contact.deleted", data: { id: contactId } },
  ]);
  await audit(tx, ctx, "delete.contact", contactId, details);
}

/** Deletes a contact (id or address) for good. Throws NOT_FOUND. Needs editor. */
export async function deleteContact(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  await retryConflicts(() =>
    ctx.db.transaction(async (tx) => {
      await eraseContact(tx, ctx, await findContactRow(tx, ctx, id, sql`for update`));
    }),
  );
}
