import { and, desc, eq, getTableColumns, ilike, inArray, lt, or, sql, type SQL } from "drizzle-orm";
import type { Executor, Transaction } from "@/db/client";
import { apiKeys, contacts, emailEvents, suppressions, users } from "@/db/schema";
import { hasAddress } from "@/lib/domain/contact-states/has-address";
import { changedBy } from "@/lib/domain/contacts/consent-changes";
import { restoreMembers } from "@/lib/domain/contact-states/suppressed-members";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid, notFound } from "@/lib/ground/errors";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import { containing } from "@/lib/ground/paging/like";
import type { Page } from "@/lib/ground/paging/schema";
import { suppresses } from "@/lib/domain/contact-states/suppressed";
import {
  domainOfSubject,
  normalizeSubject,
  type Suppression,
  type SuppressionCreate,
  type SuppressionFilter,
  type SuppressionQuery,
} from "./schema";

export type Row = typeof suppressions.$inferSelect & {
  person: string | null;
  key: string | null;
};

const sourceByReason = { hard_bounce: "bounce", complaint: "complaint" } as const;

function sourceOf({ source, reason, emailId, origin, actorId, person, key }: Row) {
  if (source === null) {
    const isReport = emailId !== null && (reason === "hard_bounce" || reason === "complaint");
    return isReport ? { type: sourceByReason[reason], by: null } : null;
  }
  const id = actorId && encodeId(origin === "apiKey" ? "apiKey" : "user", actorId);
  return { type: source, by: origin && { type: origin, id, name: person ?? key } };
}

export function toSuppression(row: Row): Suppression {
  const { email, reason, emailId, response, createdAt } = row;
  return {
    email,
    reason,
    source: sourceOf(row),
    emailId: emailId && encodeId("email", emailId),
    response,
    createdAt: createdAt.toISOString(),
  };
}

export function readRows(executor: Executor, ctx: Context, conditions: (SQL | undefined)[]) {
  // The newest event about it, for those suppressed before words were kept with them. Joined, because in a select from
  // one table drizzle omits the table of columns, and the events would be compared with themselves.
  const reports = executor
    .select({
      said: sql<
        string | null
      >`coalesce(${emailEvents.data} ->> 'response', ${emailEvents.data} ->> 'description')`.as(
        "said",
      ),
    })
    .from(emailEvents)
    .where(
      and(
        sql`${suppressions.response} is null and ${suppressions.source} is null`,
        eq(emailEvents.emailId, suppressions.emailId),
        inArray(emailEvents.name, ["bounced", "complained"]),
      ),
    )
    .orderBy(desc(emailEvents.createdAt))
    .limit(1)
    .as("reports");
  return executor
    .select({
      ...getTableColumns(suppressions),
      response: sql<string | null>`coalesce(${suppressions.response}, ${reports.said})`,
      person: users.email,
      key: apiKeys.name,
    })
    .from(suppressions)
    .leftJoin(
      users,
      and(
        eq(users.id, suppressions.actorId),
        inArray(suppressions.origin, ["user", "platformToken"]),
      ),
    )
    .leftJoin(apiKeys, and(eq(apiKeys.id, suppressions.actorId), eq(suppressions.origin, "apiKey")))
    .leftJoinLateral(reports, sql`true`)
    .where(and(eq(suppressions.projectId, ctx.projectId), ...conditions));
}

const ofAddress = (email: string) => sql`lower(${suppressions.email}) = lower(${email})`;

function subjectOf(text: string): string {
  const email = normalizeSubject(text);
  if (!email) throw notFound();
  return email;
}

export const matching = (ctx: Context, { search, reason }: SuppressionFilter) => [
  search
    ? or(
        ilike(suppressions.email, containing(search)),
        search.includes("@") ? suppresses(ctx.projectId, search) : undefined,
      )
    : undefined,
  reason && eq(suppressions.reason, reason),
];

/** Addresses and domains nothing is sent to, the newest first. */
export async function listSuppressions(
  ctx: Context,
  { cursor, limit, search, reason }: SuppressionQuery,
): Promise<Page<Suppression>> {
  requireRole(ctx, "viewer");
  const before = readCursor(cursor);
  const rows = await readRows(ctx.db, ctx, [
    ...matching(ctx, { search, reason }),
    before ? lt(suppressions.id, before) : undefined,
  ])
    .orderBy(desc(suppressions.id))
    .limit(limit + 1);
  return pageOf(rows, limit, toSuppression, ({ id }) => id);
}

/** The address's own, else that of its whole domain. Throws NOT_FOUND when mail may be sent to it. */
export async function getSuppression(ctx: Context, address: string): Promise<Suppression> {
  requireRole(ctx, "viewer");
  const [row] = await readRows(ctx.db, ctx, [suppresses(ctx.projectId, subjectOf(address))])
    .orderBy(sql`${suppressions.reason} = 'domain'`)
    .limit(1);
  if (!row) throw notFound();
  return toSuppression(row);
}

/** The uuid of the contact that has the address; null: there is none, as for a whole domain. */
async function contactOf(tx: Transaction, ctx: Context, email: string): Promise<string | null> {
  if (domainOfSubject(email)) return null;
  const [contact] = await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(hasAddress(ctx.projectId, email));
  return contact?.id ?? null;
}

/**
 * The log names people by their contact, and forgets their address when it is deleted, also where it was no contact's
 * at the time; a domain belongs to nobody.
 */
function record(
  tx: Transaction,
  ctx: Context,
  action: "create.suppression" | "delete.suppression",
  { email, contact, ...details }: { email: string; contact: string | null; reason?: string },
): Promise<void> {
  if (contact) return audit(tx, ctx, action, encodeId("contact", contact), details);
  const domain = domainOfSubject(email);
  return audit(tx, ctx, action, null, {
    ...details,
    ...(domain ? { domain } : { contact: false, email }),
  });
}

/**
 * Sends nothing to an address, or a whole domain, from now on, waiting mail included. An existing suppression stays
 * as it is. Needs editor.
 */
export async function addSuppression(
  ctx: Context,
  input: SuppressionCreate,
): Promise<{ created: boolean; suppression: Suppression }> {
  requireRole(ctx, "editor");
  const email = normalizeSubject(input.email);
  if (!email) throw invalid("email", "is not an email address");
  const { origin, actorId } = changedBy(ctx);
  const created = await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .insert(suppressions)
      .values({
        id: newId(ctx.projectId),
        projectId: ctx.projectId,
        email,
        reason: domainOfSubject(email) ? "domain" : "manual",
        source: "added",
        ...{ origin, actorId },
      })
      .onConflictDoNothing()
      .returning({ id: suppressions.id });
    if (!row) return false;
    await record(tx, ctx, "create.suppression", {
      email,
      contact: await contactOf(tx, ctx, email),
    });
    return true;
  });
  return { created, suppression: await getSuppression(ctx, email) };
}

/** Why there is nothing to lift. */
async function notLifted(tx: Transaction, ctx: Context, email: string): Promise<AppError> {
  const [row] = await readRows(tx, ctx, [suppresses(ctx.projectId, email)]);
  if (!row) return notFound();
  return new AppError("CONFLICT", `Its whole domain is suppressed. Lift ${row.email} instead.`);
}

/**
 * Lets mail be sent to an address, or a whole domain, again. Memberships that a bounce ended are restored; people
 * who complained or unsubscribed stay unsubscribed. Needs editor. Throws NOT_FOUND; CONFLICT for an address that
 * only its whole domain keeps from mail.
 */
export async function liftSuppression(ctx: Context, address: string): Promise<void> {
  requireRole(ctx, "editor");
  const email = subjectOf(address);
  await ctx.db.transaction(async (tx) => {
    const [lifted] = await tx
      .delete(suppressions)
      .where(and(eq(suppressions.projectId, ctx.projectId), ofAddress(email)))
      .returning({ email: suppressions.email, reason: suppressions.reason });
    if (!lifted) throw await notLifted(tx, ctx, email);
    const contact = await contactOf(tx, ctx, email);
    if (contact) await restoreMembers(tx, contact);
    await record(tx, ctx, "delete.suppression", { ...lifted, contact });
  });
}
