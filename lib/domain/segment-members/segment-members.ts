import { eq, lt } from "drizzle-orm";
import { tookTooLong } from "@/db/time-limit";
import {
  newestContacts,
  shownColumns,
  toContact,
  type ContactRow,
} from "@/lib/domain/contacts/rows";
import type { Contact } from "@/lib/domain/contacts/schema";
import { compileFilter } from "@/lib/domain/segments/compile";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { countMatching } from "@/lib/domain/segments/count";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import { segmentCondition } from "@/lib/domain/segments/segments";
import { requireRole, type Context } from "@/lib/ground/context";
import { invalid } from "@/lib/ground/errors";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page, PageQuery } from "@/lib/ground/paging/schema";
import { slowRead } from "@/lib/ground/slow-reads";
import type { SegmentPreview } from "./schema";

const sampleSize = 10;
const longestPreviewSeconds = 20;

/** Its current contacts, newest first. Throws NOT_FOUND. */
export async function listSegmentContacts(
  ctx: Context,
  id: string,
  query: PageQuery,
): Promise<Page<Contact>> {
  requireRole(ctx, "viewer");
  const { condition, expected } = await segmentCondition(ctx, id);
  const conditions = [eq(c.projectId, ctx.projectId), condition];
  const before = readCursor(query.cursor);
  if (before) conditions.push(lt(c.id, before));
  const rows = await ctx.db.execute<ContactRow>(
    newestContacts(conditions, query.limit + 1, expected, shownColumns),
  );
  return pageOf([...rows], query.limit, toContact, (row) => row.id);
}

/** How many contacts a filter finds, and the newest ten. Throws VALIDATION_ERROR when that takes too long. */
export async function previewSegment(ctx: Context, filter: SegmentFilter): Promise<SegmentPreview> {
  requireRole(ctx, "viewer");
  const condition = compileFilter(filter, ctx.projectId);
  try {
    return await slowRead(ctx, longestPreviewSeconds, async (tx) => {
      const counts = await countMatching(tx, ctx.projectId, condition);
      const { total: count, reachable: reachableCount, excluded } = counts;
      const conditions = [eq(c.projectId, ctx.projectId), condition];
      const rows =
        count === 0
          ? []
          : await tx.execute<ContactRow>(
              newestContacts(conditions, sampleSize, count, shownColumns),
            );
      return { count, reachableCount, excluded, sample: rows.map(toContact) };
    });
  } catch (error) {
    if (!tookTooLong(error)) throw error;
    throw invalid("filter", `takes longer than ${longestPreviewSeconds} seconds to count`);
  }
}
