import { and, desc, eq, gt, inArray, lt, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { webhookDeliveries, webhooks } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page } from "@/lib/ground/paging/schema";
import { announce } from "@/lib/ground/queue/announce";
import { keptTextOrNull } from "@/lib/ground/texts/kept-text";
import { payloadsOf } from "./payload";
import type {
  DeliveryQuery,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookReplayInput,
} from "./schema";
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
    error: keptTextOrNull(row.error),
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

/** Which delivery; only among that webhook's where one is named. */
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
  const [told] = await payloadsOf(ctx.db, [row]);
  if (!told) throw new Error("A delivery has no payload.");
  const earlier = row.earlier.map((one) => ({
    at: new Date(one.at).toISOString(),
    responseStatus: one.status,
    error: keptTextOrNull(one.error),
    durationMilliseconds: one.milliseconds,
  }));
  const last = row.attemptedAt && {
    at: row.attemptedAt.toISOString(),
    responseStatus: row.responseStatus,
    error: keptTextOrNull(row.error),
    durationMilliseconds: row.durationMilliseconds,
  };
  return {
    ...toDelivery(row),
    request: { url, body: told.payload },
    responseBody: row.responseBody,
    tries: last ? [...earlier, last] : earlier,
  };
}

/**
 * Makes a delivery due at once, whatever became of it before. Throws NOT_FOUND; CONFLICT while the
 * webhook is switched off. Needs admin.
 */
export async function retryDelivery(ctx: Context, which: DeliveryId): Promise<WebhookDelivery> {
  requireRole(ctx, "admin");
  const { row } = await findRow(ctx, which);
  const delivery = await ctx.db.transaction(async (tx) => {
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
    await audit(tx, ctx, "retry.webhookDelivery", which.id, { url: webhook.url });
    return toDelivery(due ?? row);
  });
  announce(ctx.db, "webhooks_due");
  return delivery;
}

/** Rows per statement: nobody waits long for their locks. */
const replayedTogether = 5_000;

interface Replayed {
  replayed: number;
  /** Where to continue; null: there are no more. */
  last: string | null;
}

/** The next deliveries of a webhook from `after` on, made due; one that is being tried stays with its worker. */
async function replaySome(
  tx: Executor,
  webhookId: string,
  { since, status }: WebhookReplayInput,
  after: string | null,
): Promise<Replayed> {
  const chosen = tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        sql`${webhookDeliveries.createdAt} >= ${since}::timestamptz`,
        sql`${webhookDeliveries.leaseId} is null`,
        status && eq(webhookDeliveries.status, status),
        after === null ? undefined : gt(webhookDeliveries.id, after),
      ),
    )
    .orderBy(webhookDeliveries.id)
    .limit(replayedTogether)
    .for("update");
  const rows = await tx
    .update(webhookDeliveries)
    .set({ status: "PENDING", dueAt: sql`app_now()` })
    .where(inArray(webhookDeliveries.id, chosen))
    .returning({ id: webhookDeliveries.id });
  const last =
    rows
      .map(({ id }) => id)
      .sort()
      .at(-1) ?? null;
  return { replayed: rows.length, last: rows.length < replayedTogether ? null : last };
}

/**
 * Delivers again what a webhook was told since a time, whatever became of it; the answer says how
 * many deliveries. Each keeps its `webhook-id`, by which endpoints recognize what they already have.
 * Throws NOT_FOUND; CONFLICT while the webhook is switched off. Needs admin.
 */
export async function replayDeliveries(
  ctx: Context,
  webhookId: string,
  input: WebhookReplayInput,
): Promise<{ replayed: number }> {
  requireRole(ctx, "admin");
  const { id } = await webhookRow(ctx, webhookId);
  let replayed = 0;
  let last: string | null = null;
  do {
    const after: string | null = last;
    const some: Replayed = await ctx.db.transaction(async (tx) => {
      // Switching it off ends what waits: that must not come between our look and our write.
      const [webhook] = await tx
        .select({ enabled: webhooks.enabled, url: webhooks.url })
        .from(webhooks)
        .where(eq(webhooks.id, id))
        .for("share");
      if (!webhook) throw notFound();
      if (!webhook.enabled) {
        throw new AppError("CONFLICT", "The webhook is switched off: switch it on first.");
      }
      if (after === null) {
        const details = { url: webhook.url, since: input.since };
        await audit(tx, ctx, "replay.webhookDeliveries", webhookId, details);
      }
      return replaySome(tx, id, input, after);
    });
    replayed += some.replayed;
    last = some.last;
  } while (last !== null);
  if (replayed > 0) announce(ctx.db, "webhooks_due");
  return { replayed };
}
