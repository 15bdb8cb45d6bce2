import { and, desc, eq, getTableColumns, ilike, inArray, lt, sql, type SQL } from "drizzle-orm";
import type { Executor, Transaction } from "@/db/client";
import { contacts, emailEvents, suppressions } from "@/db/schema";
import { restoreMembers } from "@/lib/domain/lists/suppressed-members";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { invalid, notFound } from "@/lib/ground/errors";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import { containing } from "@/lib/ground/paging/like";
import type { Page } from "@/lib/ground/paging/schema";
import { normalizeAddress } from "@/lib/mail/address";
import type { Suppression, SuppressionCreate, SuppressionFilter, SuppressionQuery } from "./schema";

export type Row = typeof suppressions.$inferSelect & { response: string | null };

export function toSuppression({ email, reason, emailId, response, createdAt }: Row): Suppression {
  return {
    email,
    reason,
    emailId: emailId && encodeId("email", emailId),
    response,
    createdAt: createdAt.toISOString(),
  };
}

export function readRows(executor: Executor, ctx: Context, conditions: (SQL | undefined)[]) {
  // The newest event that speaks of it. Joined: in the fields of a select from one table, drizzle writes columns without
  // their table, and the events would be compared with themselves.
  const reports = executor
    .select({
      response: sql<
        string | null
      >`coalesce(${emailEvents.data} ->> 'response', ${emailEvents.data} ->> 'description')`.as(
        "response",
      ),
    })
    .from(emailEvents)
    .where(
      and(
        eq(emailEvents.emailId, suppressions.emailId),
        inArray(emailEvents.name, ["bounced", "complained"]),
      ),
    )
    .orderBy(desc(emailEvents.createdAt))
    .limit(1)
    .as("reports");
  return executor
    .select({ ...getTableColumns(suppressions), response: reports.response })
    .from(suppressions)
    .leftJoinLateral(reports, sql`true`)
    .where(and(eq(suppressions.projectId, ctx.projectId), ...conditions));
}

const ofAddress = (email: string) => sql`lower(${suppressions.email}) = lower(${email})`;

function addressOf(text: string): string {
  const email = normalizeAddress(text);
  if (!email) throw notFound();
  return email;
}

export const matching = ({ search, reason }: SuppressionFilter) => [
  search ? ilike(suppressions.email, containing(search)) : undefined,
  reason && eq(suppressions.reason, reason),
];

/** Addresses nothing is sent to, the newest first. */
export async function listSuppressions(
  ctx: Context,
  { cursor, limit, search, reason }: SuppressionQuery,
): Promise<Page<Suppression>> {
  requireRole(ctx, "viewer");
  const before = readCursor(cursor);
  const rows = await readRows(ctx.db, ctx, [
    ...matching({ search, reason }),
    before ? lt(suppressions.id, before) : undefined,
  ])
    .orderBy(desc(suppressions.id))
    .limit(limit + 1);
  return pageOf(rows, limit, toSuppression, ({ id }) => id);
}

/** Throws NOT_FOUND when mail may be sent to the address. */
export async function getSuppression(ctx: Context, address: string): Promise<Suppression> {
  requireRole(ctx, "viewer");
  const [row] = await readRows(ctx.db, ctx, [ofAddress(addressOf(address))]);
  if (!row) throw notFound();
  return toSuppression(row);
}

/** The uuid of the contact that has the address. */
async function contactOf(tx: Transaction, ctx: Context, email: string): Promise<string | null> {
  const [contact] = await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(
      and(eq(contacts.projectId, ctx.projectId), sql`lower(${contacts.email}) = lower(${email})`),
    );
  return contact?.id ?? null;
}

/** The log names people by their contact, and forgets their address with it. */
function record(
  tx: Transaction,
  ctx: Context,
  action: "create.suppression" | "delete.suppression",
  { contact, ...details }: { contact: string | null; reason?: string },
): Promise<void> {
  return contact
    ? audit(tx, ctx, action, encodeId("contact", contact), details)
    : audit(tx, ctx, action, null, { ...details, contact: false });
}

/** Sends nothing to an address from now on, waiting mail included. One that is there stays as it is. Needs editor. */
export async function addSuppression(
  ctx: Context,
  input: SuppressionCreate,
): Promise<{ created: boolean; suppression: Suppression }> {
  requireRole(ctx, "editor");
  const email = normalizeAddress(input.email);
  if (!email) throw invalid("email", "is not an email address");
  const created = await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .insert(suppressions)
      .values({ id: newId(ctx.projectId), projectId: ctx.projectId, email, reason: "manual" })
      .onConflictDoNothing()
      .returning({ id: suppressions.id });
    if (!row) return false;
    await record(tx, ctx, "create.suppression", { contact: await contactOf(tx, ctx, email) });
    return true;
  });
  return { created, suppression: await getSuppression(ctx, email) };
}

/**
 * Lets mail be sent to an address again. What a bounce ended on lists is restored; who complained, or
 * unsubscribed, stays unsubscribed. Needs editor. Throws NOT_FOUND.
 */
export async function liftSuppression(ctx: Context, address: string): Promise<void> {
  requireRole(ctx, "editor");
  const email = addressOf(address);
  await ctx.db.transaction(async (tx) => {
    const [lifted] = await tx
      .delete(suppressions)
      .where(and(eq(suppressions.projectId, ctx.projectId), ofAddress(email)))
      .returning({ reason: suppressions.reason });
    if (!lifted) throw notFound();
    const contact = await contactOf(tx, ctx, email);
    if (contact) await restoreMembers(tx, contact);
    await record(tx, ctx, "delete.suppression", { contact, reason: lifted.reason });
  });
}
