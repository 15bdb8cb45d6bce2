import { sql, type SQL } from "drizzle-orm";
import type { Executor, Transaction } from "@/db/client";
import type { Consent, SubscriberStatus, subscriberSources } from "@/db/enums";
import { retryConflicts, violatedConstraint } from "@/db/errors";
import { audit } from "@/lib/ground/audit";
import { normalizeAddress } from "@/lib/mail/address";
import { containing } from "@/lib/ground/paging/like";
import { upsertRows } from "@/lib/domain/contacts/upsert";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, isAppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page } from "@/lib/ground/paging/schema";
import { checkFieldValues } from "./field-values";
import { fieldRows, findListRow } from "./lists";
import { sendConfirmation } from "./mails";
import { moveMembership, welcomeMember } from "./membership";
import type { SubscriberInput, SubscriberQuery, SubscriberUpdate } from "./schema";

/** A contact's membership in a list. Address, names and tags are the contact's. Times are ISO 8601. */
export interface Subscriber {
  id: string;
  listId: string;
  contactId: string;
  email: string;
  firstName: string;
  lastName: string;
  tags: string[];
  status: SubscriberStatus;
  /** Left all mail of the project. */
  leftEverything: boolean;
  source: (typeof subscriberSources)[number];
  ipAddress: string | null;
  /** By tag of the list's own fields. */
  fields: Record<string, string>;
  createdAt: string;
  updatedAt: string;
}

interface Row extends Record<string, unknown> {
  id: string;
  list_id: string;
  contact_id: string;
  email: string;
  first_name: string;
  last_name: string;
  tags: string[];
  consent: Consent;
  status: SubscriberStatus;
  source: Subscriber["source"];
  ip_address: string | null;
  fields: Record<string, string>;
  created_at: string;
  updated_at: string;
}

export function toSubscriber(row: Row): Subscriber {
  return {
    id: encodeId("subscriber", row.id),
    listId: encodeId("list", row.list_id),
    contactId: encodeId("contact", row.contact_id),
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    tags: row.tags,
    status: row.status,
    leftEverything: row.consent === "unsubscribed",
    source: row.source,
    ipAddress: row.ip_address,
    fields: row.fields,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

/** Memberships `s` with their contacts `c`, by a condition. */
export async function rowsWhere(executor: Executor, condition: SQL): Promise<Row[]> {
  return [
    ...(await executor.execute<Row>(sql`
      select s.id, s.list_id, s.contact_id, c.email, c.first_name, c.last_name, c.tags, c.consent,
        s.status, s.source, s.ip_address, s.fields, s.created_at, s.updated_at
      from subscribers s join contacts c on c.id = s.contact_id where ${condition}`)),
  ];
}

async function findRow(executor: Executor, ctx: Context, id: string, lock = false): Promise<Row> {
  const uuid = decodeId("subscriber", id);
  if (!uuid) throw notFound();
  // The contact first, as every statement locks them.
  const [row] = await rowsWhere(
    executor,
    sql`s.project_id = ${ctx.projectId} and s.id = ${uuid} ${lock ? sql`for update of c, s` : sql``}`,
  );
  if (!row) throw notFound();
  return row;
}

/**
 * Makes a contact a member: subscribed, or unconfirmed and asked to confirm where the list wants that.
 * Throws NOT_FOUND; CONFLICT when the address is on the list, whatever its status (who has not confirmed
 * yet is asked again); VALIDATION_ERROR for field values; DOMAIN_NOT_VERIFIED and PAYMENT_REQUIRED when
 * it cannot be asked. Needs editor.
 */
export async function addSubscriber(
  ctx: Context,
  listId: string,
  input: SubscriberInput,
): Promise<Subscriber> {
  requireRole(ctx, "editor");
  const { source, ipAddress, fields: given, tags, ...person } = input;
  const add = async (tx: Transaction) => {
    const list = await findListRow(tx, ctx, listId);
    const fields = checkFieldValues(await fieldRows(tx, list.id), given ?? {}, true);
    const status: SubscriberStatus = list.subscribeConfirmation ? "unconfirmed" : "subscribed";
    // Who comes to be by an unconfirmed joining has not agreed to anything yet.
    const newConsent = status === "subscribed" ? "subscribed" : "never";
    const [contact] = await upsertRows(tx, ctx.projectId, [person], newConsent);
    if (!contact) throw new Error("An upsert returned no row.");
    const id = newId();
    const made = await tx.execute(sql`
      insert into subscribers (id, project_id, list_id, contact_id, status, source, ip_address, fields)
      values (${id}, ${ctx.projectId}, ${list.id}, ${contact.id}, ${status}, ${source},
        ${ipAddress ?? null}, ${JSON.stringify(fields)}::jsonb)
      on conflict (list_id, contact_id) do nothing returning id`);
    if (made.length === 0) throw alreadyMember;
    if (tags?.length) await addTags(tx, contact.id, tags);
    const owner = { project_id: ctx.projectId, list_id: list.id, contact_id: contact.id };
    if (status === "subscribed") {
      await welcomeMember(tx, { id, status, ...owner }, { ...ctx, isNew: true });
    } else {
      await sendConfirmation(tx, id, ctx);
    }
    const [row] = await rowsWhere(tx, sql`s.id = ${id}`);
    if (!row) throw new Error("An insert returned no row.");
    const subscriber = toSubscriber(row);
    await audit(tx, ctx, "create.subscriber", subscriber.id, { list: listId });
    return subscriber;
  };
  const alreadyMember = new AppError("CONFLICT", "The address is on this list already.");
  try {
    return await retryConflicts(() => ctx.db.transaction(add));
  } catch (error) {
    if (error === alreadyMember) await askAgain(ctx, listId, person.email);
    throw error;
  }
}

/** Who signs up again has perhaps lost the mail that asked for confirmation. */
async function askAgain(ctx: Context, listId: string, email: string): Promise<void> {
  const ask = async (tx: Transaction) => {
    const list = await findListRow(tx, ctx, listId);
    const [row] = await rowsWhere(
      tx,
      sql`s.list_id = ${list.id} and c.project_id = ${ctx.projectId}
        and lower(c.email) = lower(${normalizeAddress(email) ?? email}) for update of c, s`,
    );
    if (row?.status !== "unconfirmed" || !(await sendConfirmation(tx, row.id, ctx))) return;
    // A link works for some days after the mail it came with.
    await tx.execute(sql`update subscribers set updated_at = app_now() where id = ${row.id}`);
  };
  try {
    await retryConflicts(() => ctx.db.transaction(ask));
  } catch (error) {
    // That the address is on the list is the answer, whatever keeps its mail from going out.
    if (!isAppError(error)) throw error;
  }
}

/** Throws NOT_FOUND. */
export async function getSubscriber(ctx: Context, id: string): Promise<Subscriber> {
  requireRole(ctx, "viewer");
  return toSubscriber(await findRow(ctx.db, ctx, id));
}

/** Every membership of an address, newest first. */
export async function findSubscribers(ctx: Context, email: string): Promise<Subscriber[]> {
  requireRole(ctx, "viewer");
  const rows = await rowsWhere(
    ctx.db,
    sql`c.project_id = ${ctx.projectId} and lower(c.email) = lower(${normalizeAddress(email) ?? email})
      order by s.id desc`,
  );
  return rows.map(toSubscriber);
}

/** A list's members, newest first. Throws NOT_FOUND. */
export async function listSubscribers(
  ctx: Context,
  listId: string,
  query: SubscriberQuery,
): Promise<Page<Subscriber>> {
  requireRole(ctx, "viewer");
  const list = await findListRow(ctx.db, ctx, listId);
  const before = readCursor(query.cursor);
  const rows = await rowsWhere(
    ctx.db,
    sql`s.list_id = ${list.id}
      ${query.status ? sql`and s.status = ${query.status}` : sql``}
      ${before ? sql`and s.id < ${before}` : sql``}
      ${query.search ? sql`and (c.email || ' ' || c.first_name || ' ' || c.last_name) ilike ${containing(query.search)}` : sql``}
      order by s.id desc limit ${query.limit + 1}`,
  );
  return pageOf(rows, query.limit, toSubscriber, (row) => row.id);
}

/** Changes what is given; an empty value clears a field. Throws NOT_FOUND, CONFLICT for another's address. Needs editor. */
export async function updateSubscriber(
  ctx: Context,
  id: string,
  input: SubscriberUpdate,
): Promise<Subscriber> {
  requireRole(ctx, "editor");
  const email = input.email === undefined ? null : normalizeAddress(input.email);
  const change = async (tx: Transaction) => {
    const before = await findRow(tx, ctx, id, true);
    const given = checkFieldValues(await fieldRows(tx, before.list_id), input.fields ?? {}, false);
    const cleared = Object.keys(given).filter((tag) => given[tag] === "");
    await tx.execute(sql`
      update contacts set email = coalesce(${email}, email),
        first_name = coalesce(${input.firstName?.trim() ?? null}, first_name),
        last_name = coalesce(${input.lastName?.trim() ?? null}, last_name), updated_at = app_now()
      where id = ${before.contact_id}`);
    await tx.execute(sql`
      update subscribers set updated_at = app_now(),
        fields = (fields || ${JSON.stringify(given)}::jsonb) - ${sql.param(cleared)}::text[]
      where id = ${before.id}`);
    await audit(tx, ctx, "update.subscriber", id);
    return toSubscriber(await findRow(tx, ctx, id));
  };
  try {
    return await retryConflicts(() => ctx.db.transaction(change));
  } catch (error) {
    if (violatedConstraint(error) !== "contacts_email") throw error;
    throw new AppError("CONFLICT", "Another contact has this address.");
  }
}

async function changeStatus(
  ctx: Context,
  id: string,
  status: "subscribed" | "unsubscribed",
): Promise<{ subscriber: Subscriber; changed: boolean }> {
  requireRole(ctx, "editor");
  const change = async (tx: Transaction) => {
    const before = await findRow(tx, ctx, id, true);
    const membership = { ...before, project_id: ctx.projectId };
    if (!(await moveMembership(tx, membership, status, ctx))) {
      return { subscriber: toSubscriber(before), changed: false };
    }
    await audit(
      tx,
      ctx,
      status === "subscribed" ? "subscribe.subscriber" : "unsubscribe.subscriber",
      id,
    );
    return { subscriber: toSubscriber(await findRow(tx, ctx, id)), changed: true };
  };
  return retryConflicts(() => ctx.db.transaction(change));
}

/** Subscribes or confirms a member. Does not lift an unsubscription from everything. Throws NOT_FOUND. Needs editor. */
export const subscribe = (ctx: Context, id: string) => changeStatus(ctx, id, "subscribed");

/** From this list alone. Throws NOT_FOUND. Needs editor. */
export const unsubscribe = (ctx: Context, id: string) => changeStatus(ctx, id, "unsubscribed");

/** Those it has already stay where they are. */
async function addTags(tx: Transaction, contactId: string, tags: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update contacts set updated_at = app_now(), tags = tags || array(
      select given.tag from unnest(${sql.param([...new Set(tags)])}::text[])
        with ordinality as given(tag, place)
      where given.tag <> all(tags) order by given.place)
    where id = ${contactId}`);
}

/** Adds to the contact's tags. Throws NOT_FOUND. Needs editor. */
export async function tagSubscriber(
  ctx: Context,
  id: string,
  tags: readonly string[],
): Promise<Subscriber> {
  requireRole(ctx, "editor");
  return ctx.db.transaction(async (tx) => {
    const row = await findRow(tx, ctx, id, true);
    await addTags(tx, row.contact_id, tags);
    await audit(tx, ctx, "tag.subscriber", id, { tags });
    return toSubscriber(await findRow(tx, ctx, id));
  });
}

/** Takes the contact off the list; the contact stays. Throws NOT_FOUND. Needs editor. */
export async function deleteSubscriber(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  await ctx.db.transaction(async (tx) => {
    const row = await findRow(tx, ctx, id, true);
    await tx.execute(sql`delete from subscribers where id = ${row.id}`);
    await audit(tx, ctx, "delete.subscriber", id);
  });
}
