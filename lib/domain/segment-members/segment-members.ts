import { eq, lt, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { contacts } from "@/db/schema";
import { tookTooLong } from "@/db/time-limit";
import {
  newestContacts,
  shownColumns,
  toContact,
  type ContactRow,
} from "@/lib/domain/contacts/rows";
import type { Contact } from "@/lib/domain/contacts/schema";
import { asksAboutMail, compileFilter } from "@/lib/domain/segments/compile";
import type { Asked } from "@/lib/domain/segments/email-conditions";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { countMatching } from "@/lib/domain/segments/count";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import { findCounted } from "@/lib/domain/segments/segments";
import { requireRole, type Context } from "@/lib/ground/context";
import { invalid } from "@/lib/ground/errors";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page, PageQuery } from "@/lib/ground/paging/schema";
import { slowRead } from "@/lib/ground/slow-reads";
import type { SegmentPreview } from "./schema";

const sampleSize = 10;
const longestPreviewSeconds = 20;
/** Whose mail is read first where a filter asks about it: most often a page of them match. */
const newestAsked = 2_000;

interface Stretch {
  /** uuid */
  before: string | null;
  limit: number;
  /** Roughly how many match. */
  expected: number;
}

/** The newest contacts that match. */
async function newestMatching(
  executor: Executor,
  projectId: string,
  filter: SegmentFilter,
  { before, limit, expected }: Stretch,
): Promise<ContactRow[]> {
  const stretch = [eq(c.projectId, projectId), ...(before ? [lt(c.id, before)] : [])];
  if (asksAboutMail(filter)) {
    const newest = await executor.execute<{ id: string }>(sql`
      select ${c.id} from ${contacts} c where ${sql.join(stretch, sql` and `)}
      order by ${c.id} desc limit ${newestAsked}`);
    const asked: Asked = (id) =>
      sql`${id} = any(${sql.param(newest.map((row) => row.id))}::uuid[])`;
    const conditions = [...stretch, asked(sql`${c.id}`), compileFilter(filter, projectId, asked)];
    const found = await executor.execute<ContactRow>(
      newestContacts(conditions, limit, undefined, shownColumns),
    );
    if (found.length === limit || newest.length < newestAsked) return [...found];
  }
  const conditions = [...stretch, compileFilter(filter, projectId)];
  return [
    ...(await executor.execute<ContactRow>(
      newestContacts(conditions, limit, expected, shownColumns),
    )),
  ];
}

/** Its current contacts, newest first. Throws NOT_FOUND. */
export async function listSegmentContacts(
  ctx: Context,
  id: string,
  query: PageQuery,
): Promise<Page<Contact>> {
  requireRole(ctx, "viewer");
  const { filter, expected } = await findCounted(ctx, id);
  const before = readCursor(query.cursor);
  const rows = await newestMatching(ctx.db, ctx.projectId, filter, {
    ...{ before, expected, limit: query.limit + 1 },
  });
  return pageOf(rows, query.limit, toContact, (row) => row.id);
}

/** How many contacts a filter finds, and the newest ten. Throws VALIDATION_ERROR when that takes too long. */
export async function previewSegment(ctx: Context, filter: SegmentFilter): Promise<SegmentPreview> {
  requireRole(ctx, "viewer");
  try {
    return await slowRead(ctx, longestPreviewSeconds, async (tx) => {
      const counts = await countMatching(tx, ctx.projectId, filter);
      const { total: count, reachable: reachableCount, excluded } = counts;
      const page = { before: null, limit: sampleSize, expected: count };
      const rows = count === 0 ? [] : await newestMatching(tx, ctx.projectId, filter, page);
      return { count, reachableCount, excluded, sample: rows.map(toContact) };
    });
  } catch (error) {
    if (!tookTooLong(error)) throw error;
    throw invalid("filter", `takes longer than ${longestPreviewSeconds} seconds to count`);
  }
}
