import { and, eq, inArray, isNotNull, isNull, or, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Transaction } from "@/db/client";
import { retryConflicts } from "@/db/errors";
import {
  auditLog,
  bulkChanges,
  capturedEmails,
  consentChanges,
  consentTexts,
  contactChanges,
  contactImportRows,
  contactImports,
  contactNotes,
  contacts,
  emails,
  erasedContacts,
  formSignUps,
  inboundEmails,
  personRequests,
  projectEvents,
} from "@/db/schema";
import { allRecordsOf, type RecordsOf } from "@/lib/domain/contact-states/merged";
import { mailToStrangers } from "@/lib/domain/contact-states/strangers";
import { eraseDeliveries } from "@/lib/ground/events/erase-deliveries";
import { ownedBy } from "@/lib/ground/by-id";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { emitEvents } from "@/lib/ground/events/emit";
import { encodeId } from "@/lib/ground/ids/ids";
import { findContactRow } from "./contacts";
import { eraseMailAbout } from "./erase-contents";
import { eraseMail } from "./erase-mail";
import { rememberHash } from "./forgotten";
import type { ContactRow } from "./rows";

/** SQL: the column holds one of the person's addresses. */
const isOf = (column: PgColumn | SQL, { addresses }: RecordsOf): SQL =>
  sql`lower(${column}) = any(array(
    select lower(address) from unnest(${sql.param(addresses)}::text[]) address))`;

/** SQL: the ids of all mail to the person, also from when they were no contact, as an array. */
const mailTo = (projectId: string, { ids, addresses }: RecordsOf): SQL => sql`array(
  select ${emails.id} from ${emails} where ${emails.contactId} = any(${sql.param(ids)}::uuid[])
  union all ${mailToStrangers(projectId, addresses)})`;

/** Takes the addresses out of whatever quotes them; records of mail keep their figures. */
async function erase(tx: Transaction, projectId: string, records: RecordsOf): Promise<void> {
  const { ids, addresses } = records;
  await eraseMail(tx, projectId, { mail: mailTo(projectId, records), addresses });
  await eraseMailAbout(tx, ids);
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
  await tx.update(projectEvents).set({ data: {} }).where(inArray(projectEvents.subjectId, ids));
  // Anything this person wrote may name them anywhere.
  const received = await tx
    .delete(inboundEmails)
    .where(
      or(
        and(inArray(inboundEmails.contactId, ids), ownedBy(inboundEmails.projectId, projectId)),
        and(
          eq(inboundEmails.projectId, projectId),
          isOf(inboundEmails.fromEmail, records),
          // Somebody else may have had a former address after them.
          sql`(${inboundEmails.contactId} is null or lower(${inboundEmails.fromEmail}) = lower(${addresses[0]}))`,
        ),
      ),
    )
    .returning({ id: inboundEmails.id });
  const subjects = [...ids, ...received.map(({ id }) => id)];
  await eraseDeliveries(tx, sql`${sql.param(subjects)}::uuid[]`);
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
  const ofProject = sql`${contactImportRows.importId} = any(array(
    select ${contactImports.id} from ${contactImports} where ${contactImports.projectId} = ${projectId}))`;
  await tx.delete(contactImportRows).where(and(ofProject, isOf(contactImportRows.email, records)));
}

/**
 * Takes out of changes to many contacts what they were searched by, where that is one of the addresses or enough of
 * it. Whom such a change is about was written down when it began; one that has yet to choose keeps its filter.
 */
async function eraseFromChanges(
  tx: Transaction,
  projectId: string,
  { addresses }: RecordsOf,
): Promise<void> {
  const searched = sql`lower(${bulkChanges.filter} ->> 'search')`;
  await tx
    .update(bulkChanges)
    .set({ filter: sql`${bulkChanges.filter} - 'search'` })
    .where(
      and(
        eq(bulkChanges.projectId, projectId),
        or(isNotNull(bulkChanges.finishedAt), isNotNull(bulkChanges.startedBy)),
        sql`${searched} like '%_@%' and exists (
          select from unnest(${sql.param(addresses)}::text[]) address
          where strpos(${searched}, lower(address)) > 0 or strpos(lower(address), trim(${searched})) > 0)`,
      ),
    );
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
  const records = await allRecordsOf(tx, row);
  for (const email of records.addresses) {
    // What they objected to at an address from before a change was remembered at the change.
    await rememberHash(tx, ctx.projectId, {
      ids: records.former.has(email) ? [] : records.ids,
      email,
    });
  }
  await erase(tx, ctx.projectId, records);
  await eraseFromChanges(tx, ctx.projectId, records);
  await forgetConsent(tx, ctx.projectId, records);
  await tx.delete(contacts).where(eq(contacts.id, row.id));
  // Mail that was being accepted meanwhile: see eraseLateMail.
  await tx
    .insert(erasedContacts)
    .values(records.ids.map((contactId) => ({ contactId, projectId: ctx.projectId })));
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
