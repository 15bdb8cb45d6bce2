import { and, desc, eq, lt } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { bulkChanges } from "@/db/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page, PageQuery } from "@/lib/ground/paging/schema";
import { keptTextOrNull } from "@/lib/ground/texts/kept-text";
import type { BulkChange } from "./schema";
import { undoOf } from "./terms";

export type BulkChangeRow = typeof bulkChanges.$inferSelect;

/** For how long what a change did is known person by person; the clean-up forgets it then. */
export const undoableDays = 7;

/** Whether what the change did can be taken back. */
export const isUndoable = (row: BulkChangeRow): boolean =>
  undoOf(row.action) !== null &&
  row.finishedAt !== null &&
  row.startedBy !== null &&
  row.changed > 0 &&
  !row.undone;

/** The resource of a stored change. */
export const toBulkChange = (row: BulkChangeRow): BulkChange => ({
  id: encodeId("bulkChange", row.id),
  action: row.action,
  name: row.name,
  newName: row.newName,
  listId: row.listId && encodeId("list", row.listId),
  status: row.status,
  progress:
    row.status === "COMPLETED" ? 1 : row.total === 0 ? 0 : Math.min(1, row.processed / row.total),
  total: row.total,
  processed: row.processed,
  changed: row.changed,
  refused: row.refused,
  undoable: isUndoable(row),
  failureReason: keptTextOrNull(row.failureReason),
  createdAt: row.createdAt.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
});

/** The newest first. */
export async function listBulkChanges(ctx: Context, query: PageQuery): Promise<Page<BulkChange>> {
  requireRole(ctx, "viewer");
  const before = readCursor(query.cursor);
  const rows = await ctx.db
    .select()
    .from(bulkChanges)
    .where(
      and(
        eq(bulkChanges.projectId, ctx.projectId),
        before ? lt(bulkChanges.id, before) : undefined,
      ),
    )
    .orderBy(desc(bulkChanges.id))
    .limit(query.limit + 1);
  return pageOf(rows, query.limit, toBulkChange, (row) => row.id);
}

/** Throws NOT_FOUND. */
export async function findBulkChange(
  executor: Executor,
  ctx: Context,
  id: string,
  lock = false,
): Promise<BulkChangeRow> {
  const uuid = decodeId("bulkChange", id);
  if (!uuid) throw notFound();
  const query = executor
    .select()
    .from(bulkChanges)
    .where(and(eq(bulkChanges.projectId, ctx.projectId), eq(bulkChanges.id, uuid)));
  const [row] = await (lock ? query.for("update") : query);
  if (!row) throw notFound();
  return row;
}

/** Throws NOT_FOUND. */
export async function getBulkChange(ctx: Context, id: string): Promise<BulkChange> {
  requireRole(ctx, "viewer");
  return toBulkChange(await findBulkChange(ctx.db, ctx, id));
}
