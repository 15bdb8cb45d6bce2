import { sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { retryConflicts, violatedConstraint } from "@/db/errors";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { addFigures } from "@/lib/ground/counters/counters";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page } from "@/lib/ground/paging/schema";
import {
  emailEventDeliveries,
  emitContactEvents,
  emitEvents,
  wakeDeliveries,
} from "@/lib/ground/events/emit";
import { normalizeAddress } from "@/lib/mail/address";
import { consentEvents } from "./consent-events";
import { forgottenHash } from "./forgotten";
import { contactColumns, newestContacts, toContact, type ContactRow } from "./rows";
import type { Contact, ContactQuery, ContactUpdate } from "./schema";
import { contactSelection } from "./selection";
import { askedConsent } from "./upsert";
import { failureData } from "@/lib/ground/events/failure-data";

/** The condition on `contacts c` for a path's id, which may be an address; throws NOT_FOUND. */
function identified(id: string): SQL {
  if (id.includes("@")) {
    const email = normalizeAddress(id);
    if (email) return sql`lower(c.email) = lower(${email})`;
  }
  const uuid = decodeId("contact", id);
  if (!uuid) throw notFound();
  return sql`c.id = ${uuid}`;
}

async function findRow(
  executor: Executor,
  ctx: Context,
  id: string,
  lock: SQL = sql``,
): Promise<ContactRow> {
  const [row] = await executor.execute<ContactRow>(sql`
    select ${contactColumns} from contacts c
    where c.project_id = ${ctx.projectId} and ${identified(id)} ${lock}`);
  if (!row) throw notFound();
  return row;
}

/** Newest first. Rows that come or go meanwhile neither hide nor repeat others. */
export async function listContacts(ctx: Context, query: ContactQuery): Promise<Page<Contact>> {
  requireRole(ctx, "viewer");
  const { conditions, expected } = await contactSelection(ctx, query);
  const before = readCursor(query.cursor);
  if (before) conditions.push(sql`c.id < ${before}`);
  const rows = await ctx.db.execute<ContactRow>(
    newestContacts(conditions, query.limit + 1, expected),
  );
  return pageOf([...rows], query.limit, toContact, (row) => row.id);
}

/** By id or address. Throws NOT_FOUND. */
export async function getContact(ctx: Context, id: string): Promise<Contact> {
  requireRole(ctx, "viewer");
  return toContact(await findRow(ctx.db, ctx, id));
}

/** Changes what is given. Throws NOT_FOUND; CONFLICT when the new address is another contact's. Needs editor. */
export async function updateContact(
  ctx: Context,
  id: string,
  input: ContactUpdate,
): Promise<Contact> {
  requireRole(ctx, "editor");
  const entries = Object.entries(input.data ?? {});
  const set = Object.fromEntries(entries.filter(([, value]) => value !== null));
  const removed = entries.filter(([, value]) => value === null).map(([key]) => key);
  const email = input.email === undefined ? null : normalizeAddress(input.email);
  try {
    return await ctx.db.transaction(async (tx) => {
      const before = await findRow(tx, ctx, id, sql`for update`);
      const [row] = await tx.execute<ContactRow>(sql`
        update contacts c set
          email = coalesce(${email}, c.email),
          first_name = coalesce(${input.firstName?.trim() ?? null}, c.first_name),
          last_name = coalesce(${input.lastName?.trim() ?? null}, c.last_name),
          consent = coalesce(${askedConsent(input)}, c.consent),
          tags = coalesce(${input.tags ? sql.param([...new Set(input.tags)]) : null}::text[], c.tags),
          data = (c.data || ${JSON.stringify(set)}::jsonb) - ${sql.param(removed)}::text[],
          updated_at = app_now()
        where c.id = ${before.id}
        returning ${contactColumns}`);
      if (!row) throw notFound();
      const contact = toContact(row);
      await emitContactEvents(tx, ctx.projectId, [
        { type: "contact.updated", contactId: row.id },
        ...consentEvents(before.consent, row.consent).map((type) => ({ type, contactId: row.id })),
      ]);
      await audit(tx, ctx, "update.contact", contact.id);
      return contact;
    });
  } catch (error) {
    if (violatedConstraint(error) === "contacts_email") {
      throw new AppError("CONFLICT", "Another contact has this address.");
    }
    throw error;
  }
}

/**
 * Deletes a contact for good: the address leaves every table, mail that waits is not sent, email records
 * keep their figures. A keyed hash stays. Throws NOT_FOUND. Needs editor.
 */
export async function deleteContact(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  await retryConflicts(() =>
    ctx.db.transaction(async (tx) => {
      const row = await findRow(tx, ctx, id, sql`for update`);
      await tx.execute(sql`
        with lifted as (
          delete from suppressions
          where project_id = ${ctx.projectId} and lower(email) = lower(${row.email})
          returning reason
        )
        insert into forgotten_addresses as f (project_id, hash, suppressed)
        values (${ctx.projectId}, ${forgottenHash(ctx.projectId, row.email)},
          (select reason from lifted))
        on conflict (project_id, hash) do update
          set suppressed = coalesce(excluded.suppressed, f.suppressed)`);
      await tx.execute(sql`
        delete from captured_emails where email_id in (
          select id from emails where contact_id = ${row.id})`);
      // Events may quote the address (a server's answer does): their words go, the figures stay.
      await tx.execute(sql`
        update email_events set data = '{}' where email_id in (
          select id from emails where contact_id = ${row.id}) and data <> '{}'`);
      // Links that Liquid made for this person carry the address, as it is or encoded.
      await tx.execute(sql`
        delete from links where message_id in (
          select message_id from emails where contact_id = ${row.id})
          and (strpos(lower(url), lower(${row.email})) > 0
            or strpos(lower(url), lower(${encodeURIComponent(row.email)})) > 0)`);
      await tx.execute(sql`
        update webhook_deliveries set data = '{}', response_body = null
        where subject_id = ${row.id}
          or subject_id in (select id from emails where contact_id = ${row.id})`);
      await tx.execute(sql`
        with stopped as (
          update emails set status = 'FAILED', due_at = null
          where contact_id = ${row.id} and status = 'PENDING' and lease_id is null
          returning id, project_id, campaign_id, 1 as settled, 1 as failed
        ), counted as (${addFigures("stopped", ["settled", "failed"])}
        ), noted as (
          insert into email_events (project_id, email_id, name, data)
          select project_id, id, 'failed', ${JSON.stringify(failureData("contact_deleted"))}::jsonb from stopped
          returning id, project_id, email_id, name, data, created_at
        ), deliveries as (${emailEventDeliveries(sql`noted`)})
        select ${wakeDeliveries(sql`deliveries`)}`);
      await tx.execute(sql`
        update emails set contact_id = null, recipient = null, recipient_name = null, subject = null
        where contact_id = ${row.id}`);
      await tx.execute(sql`
        update idempotency_keys set response = replace(response, ${JSON.stringify(row.email)}, '""')
        where project_id = ${ctx.projectId} and strpos(response, ${JSON.stringify(row.email)}) > 0`);
      await tx.execute(sql`
        delete from contact_import_rows r using contact_imports i
        where i.id = r.import_id and i.project_id = ${ctx.projectId}
          and lower(r.email) = lower(${row.email})`);
      await tx.execute(sql`delete from contacts where id = ${row.id}`);
      await emitEvents(tx, [
        {
          projectId: ctx.projectId,
          type: "contact.deleted",
          data: { id: encodeId("contact", row.id) },
        },
      ]);
      await audit(tx, ctx, "delete.contact", encodeId("contact", row.id));
    }),
  );
}
