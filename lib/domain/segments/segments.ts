import { and, eq, ilike, sql } from "drizzle-orm";
import type { Executor, Transaction } from "@/db/client";
import { segments } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { refuseWhileChoosing, refuseWhileUsed } from "@/lib/domain/references/campaigns";
import { requireRole, type Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { pageOf } from "@/lib/ground/paging/cursor";
import { containing } from "@/lib/ground/paging/like";
import { inOrder, timeSortKey, type SortKey } from "@/lib/ground/paging/order";
import type { Page } from "@/lib/ground/paging/schema";
import { noteViewed, segmentColumns, withFreshCount, type SegmentRow } from "./count";
import type { Segment, SegmentFilter, SegmentInput, SegmentQuery, SegmentUpdate } from "./schema";
import { bringBack, keepDeleted } from "@/lib/ground/updates/bring-back";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";

/** How many counts a page of the list may trigger; the rest keeps its previous counts. */
const listCountMilliseconds = 3_000;

const parts = [{ table: segments, by: segments.id }];

function toSegment(row: SegmentRow): Segment {
  return {
    id: encodeId("segment", row.id),
    name: row.name,
    filter: row.filter,
    contactCount: row.contactCount,
    reachableCount:
      row.contactCount - Object.values(row.excluded).reduce((sum, count) => sum + count, 0),
    excluded: { paused: 0, domain: 0, ...row.excluded },
    countedAt: row.countedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

async function findRow(
  executor: Executor,
  ctx: Context,
  id: string,
  lock = false,
): Promise<SegmentRow> {
  const uuid = decodeId("segment", id);
  if (!uuid) throw notFound();
  const query = executor
    .select(segmentColumns)
    .from(segments)
    .where(and(eq(segments.projectId, ctx.projectId), eq(segments.id, uuid)));
  const [row] = await (lock ? query.for("update") : query);
  if (!row) throw notFound();
  return row;
}

async function fresh(ctx: Context, row: SegmentRow): Promise<SegmentRow> {
  if (!row.stale) return row;
  const counted = await withFreshCount(ctx.db, ctx.projectId, row.id);
  if (!counted) throw notFound();
  return counted;
}

const sortKeys: Readonly<Record<string, SortKey>> = {
  name: { value: sql`lower(${segments.name})`, as: "text" },
  contacts: { value: sql`${segments.contactCount}`, as: "number" },
  updatedAt: timeSortKey(sql`${segments.updatedAt}`),
};

async function segmentRows(ctx: Context, query: SegmentQuery) {
  requireRole(ctx, "viewer");
  const { by, after, key, cursorOf } = inOrder(query, segments.id, sortKeys);
  const rows = await ctx.db
    .select({ ...segmentColumns, key })
    .from(segments)
    .where(
      and(
        eq(segments.projectId, ctx.projectId),
        after,
        query.search ? ilike(segments.name, containing(query.search)) : undefined,
      ),
    )
    .orderBy(...by)
    .limit(query.limit + 1);
  return { rows, cursorOf };
}

/** As `listSegments`, with the counts as they were last: nobody looks at them, and nothing is written. */
export async function listStoredSegments(
  ctx: Context,
  query: SegmentQuery,
): Promise<Page<Segment>> {
  const { rows, cursorOf } = await segmentRows(ctx, query);
  return pageOf(rows, query.limit, toSegment, cursorOf);
}

/** Newest first unless sorted otherwise, each with its count. */
export async function listSegments(ctx: Context, query: SegmentQuery): Promise<Page<Segment>> {
  const { rows, cursorOf } = await segmentRows(ctx, query);
  const shown = rows.slice(0, query.limit);
  await noteViewed(
    ctx.db,
    shown.map(({ id }) => id),
  );
  const started = performance.now();
  for (const [index, row] of shown.entries()) {
    // A segment that has never been counted has no figure to show in the meantime.
    if (row.countedAt !== null && performance.now() - started > listCountMilliseconds) continue;
    if (!row.stale) continue;
    const counted = (await withFreshCount(ctx.db, ctx.projectId, row.id)) ?? row;
    // Sorted by the counts that the statement saw.
    rows[index] = { ...counted, key: row.key };
  }
  return pageOf(rows, query.limit, toSegment, cursorOf);
}

/** Throws NOT_FOUND. */
export async function getSegment(ctx: Context, id: string): Promise<Segment> {
  requireRole(ctx, "viewer");
  const row = await findRow(ctx.db, ctx, id);
  await noteViewed(ctx.db, [row.id]);
  return toSegment(await fresh(ctx, row));
}

/** Stores a segment, not yet counted. */
export async function insertSegment(
  tx: Transaction,
  ctx: Context,
  input: SegmentInput,
): Promise<SegmentRow> {
  const [created] = await tx
    .insert(segments)
    .values({ ...input, id: newId(ctx.projectId), projectId: ctx.projectId })
    .returning(segmentColumns);
  if (!created) throw new Error("An insert returned no row.");
  await audit(tx, ctx, "create.segment", encodeId("segment", created.id), { name: created.name });
  return created;
}

/** Needs editor. */
export async function createSegment(ctx: Context, input: SegmentInput): Promise<Segment> {
  requireRole(ctx, "editor");
  const row = await ctx.db.transaction((tx) => insertSegment(tx, ctx, input));
  return toSegment(await fresh(ctx, row));
}

/**
 * Changes the given fields. Throws NOT_FOUND, and CONFLICT when it was changed since `basedOn`, or for a new filter
 * while an audience is being selected with this one. Needs editor.
 */
export async function updateSegment(
  ctx: Context,
  id: string,
  input: SegmentUpdate,
): Promise<Segment> {
  requireRole(ctx, "editor");
  const { basedOn, ...changes } = input;
  const row = await ctx.db.transaction(async (tx) => {
    const before = await findRow(tx, ctx, id, true);
    refuseStale(basedOn, before.updatedAt);
    if (input.filter !== undefined) await refuseWhileChoosing(tx, ctx.projectId, before.id);
    const [changed] = await tx
      .update(segments)
      .set({
        ...changes,
        // With another filter, the previous count is useless.
        ...(input.filter === undefined ? {} : { countedAt: null }),
        updatedAt: laterThan(segments.updatedAt),
      })
      .where(eq(segments.id, before.id))
      .returning(segmentColumns);
    if (!changed) throw notFound();
    await audit(tx, ctx, "update.segment", encodeId("segment", changed.id), { name: changed.name });
    return changed;
  });
  return toSegment(await fresh(ctx, row));
}

/** Its contacts stay. Throws NOT_FOUND; CONFLICT while a campaign that is to go out uses it. Needs editor. */
export async function deleteSegment(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  await ctx.db.transaction(async (tx) => {
    const row = await findRow(tx, ctx, id, true);
    await refuseWhileUsed(tx, ctx.projectId, "segment", row.id);
    await keepDeleted(tx, ctx, row.id, parts);
    await tx.delete(segments).where(eq(segments.id, row.id));
    await audit(tx, ctx, "delete.segment", encodeId("segment", row.id), { name: row.name });
  });
}

/**
 * Takes a deletion back within ten minutes: what refers to it finds it again. Throws NOT_FOUND. Needs editor.
 */
export async function restoreSegment(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  const uuid = decodeId("segment", id);
  if (!uuid) throw notFound();
  await ctx.db.transaction(async (tx) => {
    await bringBack(tx, ctx, uuid, parts);
    const { name } = await findRow(tx, ctx, id);
    await audit(tx, ctx, "create.segment", id, { name, restored: true });
  });
}

/** A segment of the project as a choice of contacts. Throws NOT_FOUND. */
export async function findCounted(
  ctx: Context,
  id: string,
): Promise<{ filter: SegmentFilter; expected: number }> {
  const { filter, countedAt, contactCount } = await findRow(ctx.db, ctx, id);
  return { filter, expected: countedAt === null ? 0 : contactCount };
}
