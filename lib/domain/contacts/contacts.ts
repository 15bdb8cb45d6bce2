import { eq, gt, lt, sql, type SQL } from "drizzle-orm";
import { assignments } from "@/db/names";
import type { Executor, Transaction } from "@/db/client";
import { retryConflicts, violatedConstraint } from "@/db/errors";
import { contacts } from "@/db/schema";
import { byId } from "@/lib/ground/by-id";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { notOfThisList, pageOf, readCursor, readCursorParts } from "@/lib/ground/paging/cursor";
import type { Page } from "@/lib/ground/paging/schema";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";
import { emitContactEvents } from "@/lib/ground/events/emit";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { normalizeAddress } from "@/lib/mail/address";
import { auditConsent, consentEvents } from "./consent";
import { sayWhoChanges } from "./changing";
import { changedBy, recordConsentChange } from "./consent-changes";
import { nearDates } from "./added";
import type { ContactListQuery } from "./list-schema";
import { lookUpContacts } from "./look-up";
import { takeNewAddress } from "./new-address";
import { contactsInOrder, shownColumns, toContact, type ContactRow } from "./rows";
import type { Contact, ContactUpdate } from "./schema";
import { contactSelection } from "./selection";
import { checkMerged } from "./upsert";
import { askedConsent } from "./upsert-statement";

/** The condition on `contacts c` for a path's id, which may be an address; throws NOT_FOUND. */
function identified({ projectId }: Context, id: string): SQL {
  if (id.includes("@")) {
    const email = normalizeAddress(id);
    if (email) return sql`${c.projectId} = ${projectId} and lower(${c.email}) = lower(${email})`;
  }
  const uuid = decodeId("contact", id);
  if (!uuid) throw notFound();
  return byId(c, projectId, uuid);
}

/** Throws NOT_FOUND. */
export async function findContactRow(
  executor: Executor,
  ctx: Context,
  id: string,
  lock: SQL = sql``,
): Promise<ContactRow> {
  const [row] = await executor.execute<ContactRow>(sql`
    select ${shownColumns} from ${contacts} c
    where ${identified(ctx, id)} ${lock}`);
  if (!row) throw notFound();
  return row;
}

/** Where a cursor of the order by address stands. Throws VALIDATION_ERROR for one of another order. */
function addressOf(cursor: string): string {
  const [of, last = ""] = readCursorParts(cursor, 2);
  if (of !== "email" || last.includes("\0")) throw notOfThisList();
  return last;
}

/** By address without regard to case, which is unique, or by id, which is by when they were added. */
function orderOf({ sort, cursor }: Pick<ContactListQuery, "sort" | "cursor">): {
  by: SQL;
  ofIds: boolean;
  after: SQL | null;
  keyOf: (row: ContactRow) => string[];
} {
  if (sort === "email" || sort === "-email") {
    const key = sql`lower(${c.email})`;
    const last = cursor === undefined ? undefined : addressOf(cursor);
    return {
      ofIds: false,
      by: sort === "email" ? key : sql`${key} desc`,
      after: last === undefined ? null : sql`${key} ${sort === "email" ? sql`>` : sql`<`} ${last}`,
      // As the database has it in lower case, not as JavaScript would.
      keyOf: (row) => ["email", String(row["key"])],
    };
  }
  const last = readCursor(cursor);
  const up = sort === "createdAt";
  return {
    ofIds: true,
    by: up ? c.id.getSQL() : sql`${c.id} desc`,
    after: last === null ? null : up ? gt(c.id, last) : lt(c.id, last),
    keyOf: (row) => [row.id],
  };
}

/** Newest first, unless sorted otherwise. Rows added or removed between pages neither hide nor repeat others. */
export async function listContacts(ctx: Context, query: ContactListQuery): Promise<Page<Contact>> {
  requireRole(ctx, "viewer");
  const selection = await contactSelection(ctx, query);
  const { by, ofIds, after, keyOf } = orderOf(query);
  if (selection.none) return pageOf([], query.limit, toContact, keyOf);
  const behind = after ? [after] : [];
  const columns = sql`${shownColumns}, lower(${c.email}) as key`;
  const limit = query.limit + 1;
  const dates = nearDates(query);
  // The planner cannot tell a tag that few have from a common one: for the former it would read everybody. The same for a
  // state that an index leads to, and for states and dates in the order of addresses.
  const looksUp = query.tag || selection.led || (!ofIds && (query.state ?? dates.length > 0));
  const inOrder = ofIds ? [...selection.inOrder, ...dates] : [];
  const place = [eq(c.projectId, ctx.projectId), ...behind, ...inOrder];
  const rows = looksUp
    ? await lookUpContacts(ctx, query, selection, { place, behind, by, columns, limit })
    : await ctx.db.execute<ContactRow>(
        contactsInOrder([...selection.conditions, ...behind], limit, {
          ...{ by, columns },
          expected: selection.expected,
        }),
      );
  return pageOf([...rows], query.limit, toContact, keyOf);
}

/** By id or address. Throws NOT_FOUND. */
export async function getContact(ctx: Context, id: string): Promise<Contact> {
  requireRole(ctx, "viewer");
  return toContact(await findContactRow(ctx.db, ctx, id));
}

/**
 * Changes the given fields; an address whose owner has objected unsubscribes, unless the input says otherwise. Throws
 * NOT_FOUND; CONFLICT when the new address belongs to another contact, or the
 * contact was changed since `basedOn`. `undoes`: the change (uuid) that this one takes back. Needs editor.
 */
export async function updateContact(
  ctx: Context,
  id: string,
  input: ContactUpdate,
  undoes?: string,
): Promise<Contact> {
  requireRole(ctx, "editor");
  const entries = Object.entries(input.data ?? {});
  const set = Object.fromEntries(entries.filter(([, value]) => value !== null));
  const removed = entries.filter(([, value]) => value === null).map(([key]) => key);
  const email = input.email === undefined ? null : normalizeAddress(input.email);
  const change = async (tx: Transaction) => {
    const before = await findContactRow(tx, ctx, id, sql`for update`);
    refuseStale(input.basedOn, new Date(before.updated_at));
    const from = { ...before, projectId: ctx.projectId };
    const objected = email !== null && (await takeNewAddress(tx, from, email));
    const consent = askedConsent(input) ?? (objected ? "unsubscribed" : null);
    await sayWhoChanges(tx, { ...changedBy(ctx), ...(undoes && { undoes }) });
    const [row] = await tx.execute<ContactRow>(sql`
        update ${contacts} ${c} set ${assignments(contacts, {
          email: sql`coalesce(${email}, ${c.email})`,
          firstName: sql`coalesce(${input.firstName?.trim() ?? null}, ${c.firstName})`,
          lastName: sql`coalesce(${input.lastName?.trim() ?? null}, ${c.lastName})`,
          consent: sql`coalesce(${consent}, ${c.consent})`,
          tags: sql`coalesce(${input.tags ? sql.param([...new Set(input.tags)]) : null}::text[], ${c.tags})`,
          data: sql`(${c.data} || ${JSON.stringify(set)}::jsonb) - ${sql.param(removed)}::text[]`,
          updatedAt: laterThan(c.updatedAt),
        })}
        where ${c.id} = ${before.id}
        returning ${shownColumns}`);
    if (!row) throw notFound();
    checkMerged(row, "data");
    const contact = toContact(row);
    await emitContactEvents(tx, ctx.projectId, [
      { type: "contact.updated", contactId: row.id },
      ...consentEvents(before.consent, row.consent).map((type) => ({ type, contactId: row.id })),
    ]);
    const details = undoes ? { undoes: encodeId("contactChange", undoes) } : {};
    await audit(tx, ctx, "update.contact", contact.id, details);
    await auditConsent(tx, ctx, row, before.consent);
    if (row.consent !== before.consent) {
      const change = { before: before.consent, after: row.consent, listId: null };
      const contactOf = { projectId: ctx.projectId, contactId: row.id };
      await recordConsentChange(tx, { ...contactOf, ...change }, changedBy(ctx));
    }
    return contact;
  };
  try {
    // Two people's addresses may be exchanged at once.
    return await retryConflicts(() => ctx.db.transaction(change));
  } catch (error) {
    if (violatedConstraint(error) === "contacts_email") {
      throw new AppError("CONFLICT", "Another contact has this address.");
    }
    throw error;
  }
}
