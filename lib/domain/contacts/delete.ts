import { and, eq, inArray, isNotNull, isNull, ne, or, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Transaction } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import {
  auditLog,
  capturedEmails,
  consentChanges,
  consentTexts,
  contactChanges,
  contactImportRows,
  contactImports,
  contactNotes,
  contacts,
  emailEvents,
  emails,
  formSignUps,
  idempotencyKeys,
  inboundEmails,
  links,
  personRequests,
  projectEvents,
  webhookDeliveries,
} from "@/db/schema";
import { recordsOf, type RecordsOf } from "@/lib/domain/contact-states/merged";
import { mailToStrangers } from "@/lib/domain/contact-states/strangers";
import { ownedBy } from "@/lib/ground/by-id";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { emitEvents } from "@/lib/ground/events/emit";
import { failureData } from "@/lib/ground/events/failure-data";
import { encodeId } from "@/lib/ground/ids/ids";
import { findContactRow } from "./contacts";
import { endWaitingMail } from "./end-waiting-mail";
import { rememberHash } from "./forgotten";
import type { ContactRow } from "./rows";

/** Answers are kept for a day and then deleted by a job. */
const answersKeptDays = 2;

/** SQL: the column holds one of the person's addresses. */
const isOf = (column: PgColumn | SQL, { addresses }: RecordsOf): SQL =>
  sql`lower(${column}) = any(array(
    select lower(address) from unnest(${sql.param(addresses)}::text[]) address))`;

/** SQL: the ids of all mail to the person, also from when they were no contact, as an array. */
const mailTo = (projectId: string, { ids, addresses }: RecordsOf): SQL => sql`array(
  select ${emails.id} from ${emails} where ${emails.contactId} = any(${sql.param(ids)}::uuid[])
  union all ${mailToStrangers(projectId, addresses)})`;

/**
 * Takes an address out of answers kept for idempotency keys. An answer is written in the transaction that accepts
 * its mail, so both have the same time: only a few are examined, however many the project has.
 */
async function eraseFromAnswers(
  tx: Transaction,
  projectId: string,
  mail: SQL,
  email: string,
): Promise<void> {
  const quoted = JSON.stringify(email);
  await tx
    .update(idempotencyKeys)
    .set({ response: sql`replace(${idempotencyKeys.response}, ${quoted}, '""')` })
    .where(
      and(
        ownedBy(idempotencyKeys.projectId, projectId),
        sql`${idempotencyKeys.createdAt} = any(array(
          select ${emails.createdAt} from ${emails}
          where ${emails.id} = any(${mail})
            and ${emails.createdAt} > app_now() - make_interval(days => ${answersKeptDays})))`,
        sql`strpos(${idempotencyKeys.response}, ${quoted}) > 0`,
      ),
    );
}

/**
 * A regular expression of Postgres, in small letters, for an address in a link: plain or encoded, and not as the end or
 * the beginning of somebody else's. Before it, `%3d` is the end of a value's name, and `%2b` a plus of a longer address.
 */
function addressInLink(email: string): string {
  const [plain, encoded] = [email, encodeURIComponent(email)].map((text) =>
    text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&"),
  );
  const before = "(^|[^a-z0-9._+-]|%(?!2b|2d|2e|5f)[0-9a-f]{2})";
  const after = "($|[^a-z0-9.-]|\\.($|[^a-z0-9]))";
  return `${before}(${plain}|${encoded})${after}`;
}

/** Links that Liquid generated for this person may contain an address, and the same campaign has others' links. */
async function eraseLinks(tx: Transaction, mail: SQL, email: string): Promise<void> {
  await tx.delete(links).where(
    and(
      sql`${links.messageId} = any(array(
        select ${emails.messageId} from ${emails} where ${emails.id} = any(${mail})))`,
      sql`lower(${links.url}) ~ lower(${addressInLink(email)})`,
    ),
  );
}

/** Takes the addresses out of whatever quotes them; records of mail keep their figures. */
async function erase(tx: Transaction, projectId: string, records: RecordsOf): Promise<void> {
  const { ids, addresses } = records;
  const mail = mailTo(projectId, records);
  await tx.delete(capturedEmails).where(sql`${capturedEmails.emailId} = any(${mail})`);
  // Mail sent around the log belongs to none of its rows.
  await tx
    .delete(capturedEmails)
    .where(
      and(
        eq(capturedEmails.projectId, projectId),
        isNull(capturedEmails.emailId),
        isOf(capturedEmails.envelopeTo, records),
      ),
    );
  // Somebody else may have asked for mail at that address, or used it before.
  for (const column of [personRequests.email, personRequests.previousEmail]) {
    await tx
      .delete(personRequests)
      .where(
        and(eq(personRequests.projectId, projectId), isNotNull(column), isOf(column, records)),
      );
  }
  // Events may quote the address (a server's answer does): their text is removed, the figures stay.
  await tx
    .update(emailEvents)
    .set({ data: {} })
    .where(and(sql`${emailEvents.emailId} = any(${mail})`, ne(emailEvents.data, {})));
  for (const email of addresses) await eraseLinks(tx, mail, email);
  await tx
    .update(webhookDeliveries)
    .set({ data: {}, responseBody: null })
    .where(
      or(
        inArray(webhookDeliveries.subjectId, ids),
        sql`${webhookDeliveries.subjectId} = any(${mail})`,
      ),
    );
  await tx.update(projectEvents).set({ data: {} }).where(inArray(projectEvents.subjectId, ids));
  // Anything this person wrote may name them anywhere.
  await tx
    .delete(inboundEmails)
    .where(
      or(
        and(inArray(inboundEmails.contactId, ids), ownedBy(inboundEmails.projectId, projectId)),
        and(eq(inboundEmails.projectId, projectId), isOf(inboundEmails.fromEmail, records)),
      ),
    );
  await tx
    .delete(formSignUps)
    .where(and(eq(formSignUps.projectId, projectId), isOf(formSignUps.email, records)));
  // Suppressions that were added and lifted while the address was no contact's.
  const audited = sql`${auditLog.details} ->> 'email'`;
  await tx
    .update(auditLog)
    .set({ details: sql`${auditLog.details} - 'email'` })
    .where(
      and(
        eq(auditLog.projectId, projectId),
        isNull(auditLog.target),
        sql`${audited} is not null`,
        isOf(audited, records),
      ),
    );
  const waiting = sql`
    select ${emails.id} from ${emails}
    where ${emails.id} = any(${mail}) and ${emails.status} = 'PENDING'`;
  await endWaitingMail(tx, waiting, failureData("contact_deleted"));
  for (const email of addresses) await eraseFromAnswers(tx, projectId, mail, email);
  await tx
    .update(emails)
    .set({ contactId: null, recipient: null, recipientName: null, subject: null })
    .where(sql`${emails.id} = any(${mail})`);
  const ofProject = sql`${contactImportRows.importId} = any(array(
    select ${contactImports.id} from ${contactImports} where ${contactImports.projectId} = ${projectId}))`;
  await tx.delete(contactImportRows).where(and(ofProject, isOf(contactImportRows.email, records)));
}

/**
 * Deletes the history of consent and the texts this person read that contain their address: early confirmations did,
 * and nobody else has read those. Both are append-only, except for this person's in this transaction.
 */
async function forgetConsent(
  tx: Transaction,
  projectId: string,
  { ids, addresses }: RecordsOf,
): Promise<void> {
  const read = tx
    .select({ hash: consentChanges.textHash })
    .from(consentChanges)
    .where(and(eq(consentChanges.projectId, projectId), inArray(consentChanges.contactId, ids)));
  for (const email of addresses) {
    await tx.execute(sql`select set_config('lettermill.erased_address', ${email}, true)`);
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
  for (const id of ids) {
    await tx.execute(sql`select set_config('lettermill.erased_contact', ${id}, true)`);
    await tx
      .delete(consentChanges)
      .where(and(eq(consentChanges.projectId, projectId), eq(consentChanges.contactId, id)));
  }
}

/**
 * Deletes a contact for good, with those merged into it; the caller has locked its row. The address is removed from
 * every table, waiting mail is not sent, and email records keep their figures. A keyed hash stays.
 */
export async function eraseContact(
  tx: Transaction,
  ctx: Pick<Context, "projectId" | "actor" | "requestId">,
  row: Pick<ContactRow, "id" | "email">,
  details: Record<string, unknown> = {},
): Promise<void> {
  const records = await recordsOf(tx, row);
  for (const email of records.addresses) {
    await rememberHash(tx, ctx.projectId, { ids: records.ids, email });
  }
  await erase(tx, ctx.projectId, records);
  await forgetConsent(tx, ctx.projectId, records);
  await tx.delete(contacts).where(eq(contacts.id, row.id));
  await tx.delete(contactChanges).where(inArray(contactChanges.contactId, records.ids));
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
