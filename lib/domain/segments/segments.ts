import { sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { audit } from "@/lib/ground/audit";
import { refuseWhileChoosing, refuseWhileUsed } from "@/lib/domain/references/campaigns";
import { requireRole, type Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import { containing } from "@/lib/ground/paging/like";
import type { Page } from "@/lib/ground/paging/schema";
import { compileFilter } from "./compile";
import { noteViewed, segmentColumns, withFreshCount, type SegmentRow } from "./count";
import type { Segment, SegmentInput, SegmentQuery, SegmentUpdate } from "./schema";

/** Counts a list may take before the rest of its page is left as it was counted before. */
const listCountMilliseconds = 3_000;

function toSegment(row: SegmentRow): Segment {
  return {
    id: encodeId("segment", row.id),
    name: row.name,
    filter: row.filter,
    contactCount: row.contact_count,
    countedAt: row.counted_at === null ? null : new Date(row.counted_at).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

async function findRow(
  executor: Executor,
  ctx: Context,
  id: string,
  lock: SQL = sql``,
): Promise<SegmentRow> {
  const uuid = decodeId("segment", id);
  if (!uuid) throw notFound();
  const [row] = await executor.execute<SegmentRow>(sql`
    select ${segmentColumns} from segments s
    where s.project_id = ${ctx.projectId} and s.id = ${uuid} ${lock}`);
  if (!row) throw notFound();
  return row;
}

async function fresh(ctx: Context, row: SegmentRow): Promise<SegmentRow> {
  if (!row.stale) return row;
  const counted = await withFreshCount(ctx.db, ctx.projectId, row.id);
  if (!counted) throw notFound();
  return counted;
}

/** Newest first, each with its count. */
export async function listSegments(ctx: Context, query: SegmentQuery): Promise<Page<Segment>> {
  requireRole(ctx, "viewer");
  const conditions = [sql`s.project_id = ${ctx.projectId}`];
  const before = readCursor(query.cursor);
  if (before) conditions.push(sql`s.id < ${before}`);
  if (query.search) conditions.push(sql`s.name ilike ${containing(query.search)}`);
  const rows = [
    ...(await ctx.db.execute<SegmentRow>(sql`
      select ${segmentColumns} from segments s where ${sql.join(conditions, sql` and `)}
      order by s.id desc limit ${query.limit + 1}`)),
  ];
  const shown = rows.slice(0, query.limit);
  await noteViewed(
    ctx.db,
    shown.map(({ id }) => id),
  );
  const started = performance.now();
  for (const [index, row] of shown.entries()) {
    // What has never been counted has no figure to show meanwhile.
    if (row.counted_at !== null && performance.now() - started > listCountMilliseconds) continue;
    if (row.stale) rows[index] = (await withFreshCount(ctx.db, ctx.projectId, row.id)) ?? row;
  }
  return pageOf(rows, query.limit, toSegment, (row) => row.id);
}

/** Throws NOT_FOUND. */
export async function getSegment(ctx: Context, id: string): Promise<Segment> {
  requireRole(ctx, "viewer");
  const row = await findRow(ctx.db, ctx, id);
  await noteViewed(ctx.db, [row.id]);
  return toSegment(await fresh(ctx, row));
}

/** Needs editor. */
export async function createSegment(ctx: Context, input: SegmentInput): Promise<Segment> {
  requireRole(ctx, "editor");
  const row = await ctx.db.transaction(async (tx) => {
    const [made] = await tx.execute<SegmentRow>(sql`
      insert into segments as s (id, project_id, name, filter)
      values (${newId()}, ${ctx.projectId}, ${input.name}, ${JSON.stringify(input.filter)}::jsonb)
      returning ${segmentColumns}`);
    if (!made) throw new Error("An insert returned no row.");
    await audit(tx, ctx, "create.segment", encodeId("segment", made.id), { name: made.name });
    return made;
  });
  return toSegment(await fresh(ctx, row));
}

/**
 * Changes what is given. Throws NOT_FOUND, and CONFLICT for another filter while an audience is chosen by
 * this one. Needs editor.
 */
export async function updateSegment(
  ctx: Context,
  id: string,
  input: SegmentUpdate,
): Promise<Segment> {
  requireRole(ctx, "editor");
  const row = await ctx.db.transaction(async (tx) => {
    const before = await findRow(tx, ctx, id, sql`for update`);
    if (input.filter !== undefined) await refuseWhileChoosing(tx, ctx.projectId, before.id);
    const filter = input.filter === undefined ? null : JSON.stringify(input.filter);
    const [changed] = await tx.execute<SegmentRow>(sql`
      update segments s set
        name = coalesce(${input.name ?? null}, s.name),
        filter = coalesce(${filter}::jsonb, s.filter),
        counted_at = case when ${filter}::jsonb is null then s.counted_at end,
        updated_at = app_now()
      where s.id = ${before.id} returning ${segmentColumns}`);
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
    const row = await findRow(tx, ctx, id, sql`for update`);
    await refuseWhileUsed(tx, ctx.projectId, "segment", row.id);
    await tx.execute(sql`delete from segments where id = ${row.id}`);
    await audit(tx, ctx, "delete.segment", encodeId("segment", row.id), { name: row.name });
  });
}

/** A segment of the project as a choice of contacts. Throws NOT_FOUND. */
export async function segmentCondition(
  ctx: Context,
  id: string,
): Promise<{ condition: SQL; expected: number }> {
  const row = await findRow(ctx.db, ctx, id);
  return {
    condition: compileFilter(row.filter, ctx.projectId),
    expected: row.counted_at === null ? 0 : row.contact_count,
  };
}
