import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { and, desc, eq, lt } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { webhooks } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { AppError, invalid, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { isPublicAddress } from "@/lib/ground/net/addresses/public";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page, PageQuery } from "@/lib/ground/paging/schema";
import { lockProject } from "@/lib/ground/project-lock";
import { seal } from "@/lib/ground/secrets";
import { keptTextOrNull } from "@/lib/ground/texts/kept-text";
import { endWaitingDeliveries } from "./waiting-deliveries";
import type { Webhook, WebhookInput, WebhookUpdate, WebhookWithSecret } from "./schema";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";

/** Each event is written down, and called out, once for every webhook that asks for it. */
export const mostWebhooks = 500;

type Row = typeof webhooks.$inferSelect;

function toWebhook(row: Row): Webhook {
  return {
    id: encodeId("webhook", row.id),
    url: row.url,
    events: row.events,
    enabled: row.enabled,
    failingSince: row.failingSince?.toISOString() ?? null,
    disabledReason: keptTextOrNull(row.disabledReason),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Standard Webhooks: 24 random bytes, Base64, behind a prefix. */
const mintSecret = () => `whsec_${randomBytes(24).toString("base64")}`;

/**
 * Refuses what is plainly not a public https address, so that a mistake shows at once. Names are
 * checked again when a delivery dials: what they resolve to can change.
 */
function checkUrl(text: string): void {
  if (env().ALLOW_PRIVATE_ADDRESSES) return;
  const { protocol, hostname } = new URL(text);
  if (protocol !== "https:") throw invalid("url", "must begin with https://");
  // URL has brought every spelling of an IPv4 address into its dotted form.
  const host = hostname.replace(/^\[|\]$/g, "");
  const isPrivate =
    isIP(host) === 0
      ? !host.includes(".") || /(^|\.)(localhost|local|internal)\.?$/.test(host)
      : !isPublicAddress(host);
  if (isPrivate) throw invalid("url", "must be a public address");
}

/** The condition for a path's id; throws NOT_FOUND. */
export const owned = (ctx: Context, id: string) => {
  const uuid = decodeId("webhook", id);
  if (!uuid) throw notFound();
  return and(eq(webhooks.projectId, ctx.projectId), eq(webhooks.id, uuid));
};

/** Throws CONFLICT when the project has as many as it may have. */
async function requireRoom(tx: Transaction, ctx: Context): Promise<void> {
  await lockProject(tx, ctx.projectId);
  const existing = await tx.$count(webhooks, eq(webhooks.projectId, ctx.projectId));
  if (existing < mostWebhooks) return;
  throw new AppError("CONFLICT", `A project has at most ${mostWebhooks} webhooks.`);
}

/**
 * The answer contains the signing secret, which nobody can read again. Throws VALIDATION_ERROR; CONFLICT when there are
 * as many as a project may have. Needs admin.
 */
export async function createWebhook(ctx: Context, input: WebhookInput): Promise<WebhookWithSecret> {
  requireRole(ctx, "admin");
  checkUrl(input.url);
  const secret = mintSecret();
  return ctx.db.transaction(async (tx) => {
    await requireRoom(tx, ctx);
    const [row] = await tx
      .insert(webhooks)
      .values({
        id: newId(ctx.projectId),
        projectId: ctx.projectId,
        url: input.url,
        events: [...new Set(input.events)],
        enabled: input.enabled ?? true,
        secretSealed: seal(secret),
      })
      .returning();
    if (!row) throw new Error("An insert returned no row.");
    const webhook = toWebhook(row);
    await audit(tx, ctx, "create.webhook", webhook.id, { url: webhook.url });
    return { ...webhook, secret };
  });
}

/** Newest first. */
export async function listWebhooks(ctx: Context, query: PageQuery): Promise<Page<Webhook>> {
  requireRole(ctx, "viewer");
  const before = readCursor(query.cursor);
  const rows = await ctx.db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.projectId, ctx.projectId), before ? lt(webhooks.id, before) : undefined))
    .orderBy(desc(webhooks.id))
    .limit(query.limit + 1);
  return pageOf(rows, query.limit, toWebhook, (row) => row.id);
}

/** Throws NOT_FOUND. */
export async function getWebhook(ctx: Context, id: string): Promise<Webhook> {
  requireRole(ctx, "viewer");
  const [row] = await ctx.db.select().from(webhooks).where(owned(ctx, id));
  if (!row) throw notFound();
  return toWebhook(row);
}

/** Changes what is given. Throws NOT_FOUND, VALIDATION_ERROR, CONFLICT when it was changed since `basedOn`. Needs admin. */
export async function updateWebhook(
  ctx: Context,
  id: string,
  input: WebhookUpdate,
): Promise<Webhook> {
  requireRole(ctx, "admin");
  const where = owned(ctx, id);
  if (input.url !== undefined) checkUrl(input.url);
  return ctx.db.transaction(async (tx) => {
    const [before] = await tx.select().from(webhooks).where(where).for("update");
    if (!before) throw notFound();
    refuseStale(input.basedOn, before.updatedAt);
    const [row] = await tx
      .update(webhooks)
      .set({
        ...(input.url === undefined ? {} : { url: input.url }),
        ...(input.events === undefined ? {} : { events: [...new Set(input.events)] }),
        ...(input.enabled === undefined ? {} : { enabled: input.enabled }),
        // Switching it on means that somebody has looked into it: its failures are counted anew.
        ...(input.enabled ? { failingSince: null, disabledReason: null } : {}),
        updatedAt: laterThan(webhooks.updatedAt),
      })
      .where(where)
      .returning();
    if (!row) throw notFound();
    if (!row.enabled) await endWaitingDeliveries(tx, [row.id]);
    await audit(tx, ctx, "update.webhook", id, { url: row.url });
    return toWebhook(row);
  });
}

/** Replaces the signing secret and answers with the new one. Throws NOT_FOUND. Needs admin. */
export async function rotateWebhookSecret(ctx: Context, id: string): Promise<WebhookWithSecret> {
  requireRole(ctx, "admin");
  const where = owned(ctx, id);
  const secret = mintSecret();
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(webhooks)
      .set({ secretSealed: seal(secret), updatedAt: now })
      .where(where)
      .returning();
    if (!row) throw notFound();
    await audit(tx, ctx, "rotate.webhookSecret", id, { url: row.url });
    return { ...toWebhook(row), secret };
  });
}

/** Throws NOT_FOUND. Needs admin. */
export async function deleteWebhook(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "admin");
  const where = owned(ctx, id);
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx.delete(webhooks).where(where).returning();
    if (!row) throw notFound();
    await audit(tx, ctx, "delete.webhook", id, { url: row.url });
  });
}
