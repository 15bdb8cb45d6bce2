import { and, desc, eq, lt, sql } from "drizzle-orm";
import { webhookDeliveries, webhooks } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page } from "@/lib/ground/paging/schema";
import { payloadsOf } from "./payload";
import type { DeliveryQuery, WebhookDelivery, WebhookDeliveryDetail } from "./schema";
import { owned } from "./webhooks";

type Row = typeof webhookDeliveries.$inferSelect;

function toDelivery(row: Row): WebhookDelivery {
  return {
    id: encodeId("delivery", row.id),
    webhookId: encodeId("webhook", row.webhookId),
    eventId: encodeId("event", row.eventId),
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    responseStatus: row.responseStatus,
    error: row.error,
    durationMilliseconds: row.durationMilliseconds,
    attemptedAt: row.attemptedAt?.toISOString() ?? null,
    // While it is claimed, due_at is the lease's end.
    nextAttemptAt: row.leaseId === null ? (row.dueAt?.toISOString() ?? null) : null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** Throws NOT_FOUND. */
export async function webhookRow(ctx: Context, id: string) {
  const [row] = await ctx.db.select().from(webhooks).where(owned(ctx, id));
  if (!row) throw notFound();
  return row;
}

/** Which delivery; of that webhook alone where one is named. */
export interface DeliveryId {
  id: string;
  webhookId?: string;
}

async function findRow(
  ctx: Context,
  { id, webhookId }: DeliveryId,
): Promise<{ row: Row; url: string }> {
  const uuid = decodeId("delivery", id);
  const webhookUuid = webhookId ? decodeId("webhook", webhookId) : undefined;
  if (!uuid || webhookUuid === null) throw notFound();
  const [delivery] = await ctx.db
    .select({ row: webhookDeliveries, url: webhooks.url })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(
      and(
        eq(webhookDeliveries.projectId, ctx.projectId),
        eq(webhookDeliveries.id, uuid),
        webhookUuid ? eq(webhookDeliveries.webhookId, webhookUuid) : undefined,
      ),
    );
  if (!delivery) throw notFound();
  return delivery;
}

/** A webhook's log, newest first. Throws NOT_FOUND. */
export async function listDeliveries(
  ctx: Context,
  webhookId: string,
  query: DeliveryQuery,
): Promise<Page<WebhookDelivery>> {
  requireRole(ctx, "viewer");
  const { id } = await webhookRow(ctx, webhookId);
  const before = readCursor(query.cursor);
  const rows = await ctx.db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, id),
        query.status ? eq(webhookDeliveries.status, query.status) : undefined,
        before ? lt(webhookDeliveries.id, before) : undefined,
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(query.limit + 1);
  return pageOf(rows, query.limit, toDelivery, (row) => row.id);
}

/** One delivery with what is sent, what came back and each try. Throws NOT_FOUND. */
export async function getDelivery(ctx: Context, which: DeliveryId): Promise<WebhookDeliveryDetail> {
  requireRole(ctx, "viewer");
  const { row, url } = await findRow(ctx, which);
  const [body] = await payloadsOf(ctx.db, [row]);
  if (!body) throw new Error("A delivery has no payload.");
  const earlier = row.earlier.map((one) => ({
    at: new Date(one.at).toISOString(),
    responseStatus: one.status,
    error: one.error,
    durationMilliseconds: one.milliseconds,
  }));
  const last = row.attemptedAt && {
    at: row.attemptedAt.toISOString(),
    responseStatus: row.responseStatus,
    error: row.error,
    durationMilliseconds: row.durationMilliseconds,
  };
  return {
    ...toDelivery(row),
    request: { url, body },
    responseBody: row.responseBody,
    tries: last ? [...earlier, last] : earlier,
  };
}

/**
 * Makes a delivery due at once, whatever came of it before. Throws NOT_FOUND; CONFLICT while the webhook
 * is switched off. Needs admin.
 */
export async function retryDelivery(ctx: Context, which: DeliveryId): Promise<WebhookDelivery> {
  requireRole(ctx, "admin");
  const { row } = await findRow(ctx, which);
  return ctx.db.transaction(async (tx) => {
    const [webhook] = await tx
      .select({ enabled: webhooks.enabled, url: webhooks.url })
      .from(webhooks)
      .where(eq(webhooks.id, row.webhookId))
      .for("share");
    if (!webhook) throw notFound();
    if (!webhook.enabled) {
      throw new AppError("CONFLICT", "The webhook is switched off: switch it on first.");
    }
    // A delivery that is being tried stays with the worker that tries it.
    const [due] = await tx
      .update(webhookDeliveries)
      .set({ status: "PENDING", dueAt: sql`app_now()` })
      .where(and(eq(webhookDeliveries.id, row.id), sql`${webhookDeliveries.leaseId} is null`))
      .returning();
    await tx.execute(sql`select pg_notify('webhooks_due', '')`);
    await audit(tx, ctx, "retry.webhookDelivery", which.id, { url: webhook.url });
    return toDelivery(due ?? row);
  });
}
