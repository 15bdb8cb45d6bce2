import { and, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import { hasAddress } from "@/lib/domain/contact-states/has-address";
import type { Executor } from "@/db/client";
import type { Consent, SubscriberStatus, subscriberSources, SuppressionReason } from "@/db/enums";
import { contacts, subscribers } from "@/db/schema";
import { stateOf as stateOfContact } from "@/lib/domain/contact-states/state";
import { reasonFor } from "@/lib/domain/contact-states/suppressed";
import { normalizeAddress } from "@/lib/mail/address";
import { containing } from "@/lib/ground/paging/like";
import { requireRole, type Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page } from "@/lib/ground/paging/schema";
import { findListRow } from "./lists";
import type { MemberState, SubscriberQuery } from "./schema";

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
  /** Whether campaigns to the list reach them, and if not, why. */
  state: MemberState;
  /** Whether they left all mail of the project. */
  leftEverything: boolean;
  source: (typeof subscriberSources)[number];
  ipAddress: string | null;
  /** Keyed by the tags of the list's own fields. */
  fields: Record<string, string>;
  createdAt: string;
  updatedAt: string;
}

const columns = {
  id: subscribers.id,
  projectId: subscribers.projectId,
  listId: subscribers.listId,
  contactId: subscribers.contactId,
  email: contacts.email,
  firstName: contacts.firstName,
  lastName: contacts.lastName,
  tags: contacts.tags,
  consent: contacts.consent,
  suppressed: sql<SuppressionReason | null>`${reasonFor(contacts.projectId, contacts.email)}`,
  paused: sql<boolean>`coalesce(${contacts.pausedUntil} > app_now(), false)`,
  status: subscribers.status,
  source: subscribers.source,
  ipAddress: subscribers.ipAddress,
  fields: subscribers.fields,
  createdAt: subscribers.createdAt,
  updatedAt: sql`greatest(${subscribers.updatedAt}, ${contacts.updatedAt})`.mapWith(
    subscribers.updatedAt,
  ),
};

/** Memberships with their contacts; the caller says which. */
export const selectMembers = (executor: Executor) =>
  executor
    .select(columns)
    .from(subscribers)
    .innerJoin(contacts, eq(contacts.id, subscribers.contactId));
type Row = Awaited<ReturnType<typeof selectMembers>>[number];

/** The contact comes first: every statement locks them in this order. */
export const lockedTables = { of: [contacts, subscribers] };

const ofMembership: Record<SubscriberStatus, MemberState | null> = {
  subscribed: null,
  unconfirmed: "unconfirmed",
  unsubscribed: "unsubscribed",
  bounced: "hard_bounce",
  complained: "complaint",
};

/** A suppression outweighs consent, leaving everything outweighs the list's own status. */
function stateOf(
  consent: Consent,
  { suppressed, paused }: { suppressed: SuppressionReason | null; paused: boolean },
  status: SubscriberStatus,
): MemberState {
  const ofContact = stateOfContact(consent, { suppressed, paused });
  if (suppressed || consent === "unsubscribed") return ofContact;
  return ofMembership[status] ?? ofContact;
}

export function toSubscriber(row: Row): Subscriber {
  return {
    id: encodeId("subscriber", row.id),
    listId: encodeId("list", row.listId),
    contactId: encodeId("contact", row.contactId),
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    tags: row.tags,
    status: row.status,
    state: stateOf(row.consent, row, row.status),
    leftEverything: row.consent === "unsubscribed",
    source: row.source,
    ipAddress: row.ipAddress,
    fields: row.fields,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export async function findSubscriberRow(
  executor: Executor,
  ctx: Context,
  id: string,
  lock = false,
): Promise<Row> {
  const uuid = decodeId("subscriber", id);
  if (!uuid) throw notFound();
  const query = selectMembers(executor).where(
    and(eq(subscribers.projectId, ctx.projectId), eq(subscribers.id, uuid)),
  );
  const [row] = await (lock ? query.for("update", lockedTables) : query);
  if (!row) throw notFound();
  return row;
}

/** Memberships of the address, in every spelling of it. */
export const ofAddress = (ctx: Context, email: string) =>
  hasAddress(ctx.projectId, normalizeAddress(email) ?? email);

/** Throws NOT_FOUND. */
export async function getSubscriber(ctx: Context, id: string): Promise<Subscriber> {
  requireRole(ctx, "viewer");
  return toSubscriber(await findSubscriberRow(ctx.db, ctx, id));
}

/** Every membership of an address, newest first. */
export async function findSubscribers(ctx: Context, email: string): Promise<Subscriber[]> {
  requireRole(ctx, "viewer");
  const rows = await selectMembers(ctx.db)
    .where(ofAddress(ctx, email))
    .orderBy(desc(subscribers.id));
  return rows.map(toSubscriber);
}

const nameOrAddressContains = (part: string): SQL =>
  sql`(${contacts.email} || ' ' || ${contacts.firstName} || ' ' || ${contacts.lastName})
    ilike ${containing(part)}`;

/** A list's members, newest first. Throws NOT_FOUND. */
export async function listSubscribers(
  ctx: Context,
  listId: string,
  query: SubscriberQuery,
): Promise<Page<Subscriber>> {
  requireRole(ctx, "viewer");
  const list = await findListRow(ctx.db, ctx, listId);
  const before = readCursor(query.cursor);
  const rows = await selectMembers(ctx.db)
    .where(
      and(
        eq(subscribers.listId, list.id),
        query.status && eq(subscribers.status, query.status),
        before ? lt(subscribers.id, before) : undefined,
        query.search ? nameOrAddressContains(query.search) : undefined,
      ),
    )
    .orderBy(desc(subscribers.id))
    .limit(query.limit + 1);
  return pageOf(rows, query.limit, toSubscriber, (row) => row.id);
}
