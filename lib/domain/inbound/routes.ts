import { and, desc, eq, lt } from "drizzle-orm";
import { violatedConstraint } from "@/db/errors";
import type { Executor, Transaction } from "@/db/client";
import { inboundRoutes, webhooks } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid, noSuch, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page, PageQuery } from "@/lib/ground/paging/schema";
import { lockProject } from "@/lib/ground/project-lock";
import { bringBack, keepDeleted } from "@/lib/ground/updates/bring-back";
import { normalizePattern, type InboundRoute, type InboundRouteCreate } from "./schema";

/** Kept low because they are read for each mail. */
const mostRoutes = 200;

const parts = [{ table: inboundRoutes, by: inboundRoutes.id }];

function readRoutes(executor: Executor) {
  return executor
    .select({ route: inboundRoutes, url: webhooks.url, enabled: webhooks.enabled })
    .from(inboundRoutes)
    .innerJoin(webhooks, eq(webhooks.id, inboundRoutes.webhookId));
}

type Row = Awaited<ReturnType<typeof readRoutes>>[number];

function toRoute({ route, url, enabled }: Row): InboundRoute {
  return {
    id: encodeId("inboundRoute", route.id),
    pattern: route.pattern,
    webhookId: encodeId("webhook", route.webhookId),
    url,
    enabled,
    createdAt: route.createdAt.toISOString(),
  };
}

/** Newest first. */
export async function listInboundRoutes(
  ctx: Context,
  query: PageQuery,
): Promise<Page<InboundRoute>> {
  requireRole(ctx, "viewer");
  const before = readCursor(query.cursor);
  const rows = await readRoutes(ctx.db)
    .where(
      and(
        eq(inboundRoutes.projectId, ctx.projectId),
        before ? lt(inboundRoutes.id, before) : undefined,
      ),
    )
    .orderBy(desc(inboundRoutes.id))
    .limit(query.limit + 1);
  return pageOf(rows, query.limit, toRoute, ({ route }) => route.id);
}

/** Throws CONFLICT when there are as many as there may be. */
async function requireRoom(tx: Transaction, ctx: Context): Promise<void> {
  await lockProject(tx, ctx.projectId);
  const existing = await tx.$count(inboundRoutes, eq(inboundRoutes.projectId, ctx.projectId));
  if (existing < mostRoutes) return;
  throw new AppError("CONFLICT", `A project has at most ${mostRoutes} inbound routes.`);
}

/**
 * From now on, mail for addresses that match the pattern goes to one webhook, whatever events it listens to. Throws
 * NOT_FOUND for the webhook, CONFLICT when the project already has the pattern. Needs admin.
 */
export async function createInboundRoute(
  ctx: Context,
  input: InboundRouteCreate,
): Promise<InboundRoute> {
  requireRole(ctx, "admin");
  const pattern = normalizePattern(input.pattern);
  if (pattern === null) throw invalid("pattern", "is not a pattern like support+*@example.com");
  const webhookId = decodeId("webhook", input.webhookId);
  if (!webhookId) throw noSuch("webhookId", "webhook");
  try {
    return await ctx.db.transaction(async (tx) => {
      await requireRoom(tx, ctx);
      const [webhook] = await tx
        .select({ url: webhooks.url, enabled: webhooks.enabled })
        .from(webhooks)
        .where(and(eq(webhooks.projectId, ctx.projectId), eq(webhooks.id, webhookId)))
        .for("share");
      if (!webhook) throw noSuch("webhookId", "webhook");
      const [route] = await tx
        .insert(inboundRoutes)
        .values({ id: newId(ctx.projectId), projectId: ctx.projectId, pattern, webhookId })
        .returning();
      if (!route) throw new Error("An insert returned no row.");
      const created = toRoute({ route, ...webhook });
      await audit(tx, ctx, "create.inboundRoute", created.id, { pattern });
      return created;
    });
  } catch (error) {
    if (violatedConstraint(error) !== "inbound_routes_pattern") throw error;
    throw new AppError("CONFLICT", `The project already has a route for ${pattern}.`);
  }
}

/** Throws NOT_FOUND. Needs admin. */
export async function deleteInboundRoute(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "admin");
  const uuid = decodeId("inboundRoute", id);
  if (!uuid) throw notFound();
  const where = and(eq(inboundRoutes.projectId, ctx.projectId), eq(inboundRoutes.id, uuid));
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .select({ pattern: inboundRoutes.pattern })
      .from(inboundRoutes)
      .where(where)
      .for("update");
    if (!row) throw notFound();
    await keepDeleted(tx, ctx, uuid, parts);
    await tx.delete(inboundRoutes).where(where);
    await audit(tx, ctx, "delete.inboundRoute", id, row);
  });
}

/**
 * Takes a deletion back within ten minutes. Throws NOT_FOUND; CONFLICT: another has its pattern, its webhook is gone,
 * or there are too many. Needs admin.
 */
export async function restoreInboundRoute(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "admin");
  const uuid = decodeId("inboundRoute", id);
  if (!uuid) throw notFound();
  await ctx.db.transaction(async (tx) => {
    await requireRoom(tx, ctx);
    await bringBack(tx, ctx, uuid, parts);
    const [row] = await tx
      .select({ pattern: inboundRoutes.pattern })
      .from(inboundRoutes)
      .where(eq(inboundRoutes.id, uuid));
    await audit(tx, ctx, "create.inboundRoute", id, { ...row, restored: true });
  });
}
