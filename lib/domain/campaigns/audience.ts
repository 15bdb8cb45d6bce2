import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { sqlState } from "@/db/errors";
import { lists, segments, subscribers, suppressions } from "@/db/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { invalid, noSuch } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import { countByState } from "@/lib/domain/contact-states/count";
import { compileFilter } from "@/lib/domain/segments/compile";
import type { Asked } from "@/lib/domain/segments/email-conditions";
import { c } from "@/lib/domain/contact-states/contact-alias";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import type { Audience, AudienceInput } from "./audience-schema";

const longestCountSeconds = 20;

interface Choice {
  filter: SegmentFilter | null;
  listId: string | null;
  /** Which contacts are asked about, where it is not all of them. */
  asked?: Asked;
}

/** Conditions on `contacts c`, the project's first: who is chosen, reachable or not. */
function choiceCondition(projectId: string, { filter, listId, asked }: Choice): SQL {
  const conditions: SQL[] = [eq(c.projectId, projectId)];
  if (listId !== null) {
    conditions.push(sql`exists (select from ${subscribers}
      where ${subscribers.listId} = ${listId} and ${subscribers.contactId} = ${c.id}
        and ${subscribers.status} = 'subscribed')`);
  }
  if (filter !== null) conditions.push(compileFilter(filter, projectId, asked));
  return sql.join(conditions, sql` and `);
}

/** Those who would get a campaign that starts now: contacts whose state is `reachable`. */
export function audienceCondition(projectId: string, choice: Choice): SQL {
  return sql`(${choiceCondition(projectId, choice)} and ${c.consent} = 'subscribed'
    and not exists (select from ${suppressions}
      where ${suppressions.projectId} = ${c.projectId}
        and lower(${suppressions.email}) = lower(${c.email})))`;
}

/** With a lock, who deletes the row meanwhile waits, and then finds it in use. */
interface ReferenceOptions {
  lock?: boolean;
}

/** The segment's filter as it is now; null when the project has no such segment. */
export async function findFilter(
  executor: Executor,
  projectId: string,
  segmentId: string,
  { lock = false }: ReferenceOptions = {},
): Promise<SegmentFilter | null> {
  const query = executor
    .select({ filter: segments.filter })
    .from(segments)
    .where(and(eq(segments.projectId, projectId), eq(segments.id, segmentId)));
  const [row] = await (lock ? query.for("key share") : query);
  return row?.filter ?? null;
}

/** Whether the project has the list. */
export async function hasList(
  executor: Executor,
  projectId: string,
  listId: string,
  { lock = false }: ReferenceOptions = {},
): Promise<boolean> {
  const query = executor
    .select({ id: lists.id })
    .from(lists)
    .where(and(eq(lists.projectId, projectId), eq(lists.id, listId)));
  const [row] = await (lock ? query.for("key share") : query);
  return row !== undefined;
}

/**
 * How many people would get a campaign for this segment, list or everybody now, and how many of those
 * chosen would not, by reason. Throws NOT_FOUND;
 * VALIDATION_ERROR when counting takes too long.
 */
export async function estimateAudience(ctx: Context, input: AudienceInput): Promise<Audience> {
  requireRole(ctx, "viewer");
  if (input.segmentId && input.listId) throw invalid("listId", "cannot stand beside segmentId");
  let filter: SegmentFilter | null = null;
  let listId: string | null = null;
  if (input.segmentId) {
    const segmentId = decodeId("segment", input.segmentId);
    filter = segmentId ? await findFilter(ctx.db, ctx.projectId, segmentId) : null;
    if (!filter) throw noSuch("segmentId", "segment");
  }
  if (input.listId) {
    listId = decodeId("list", input.listId);
    if (!listId || !(await hasList(ctx.db, ctx.projectId, listId))) throw noSuch("listId", "list");
  }
  try {
    return await ctx.db.transaction(async (tx) => {
      await tx.execute(sql`
        select set_config('statement_timeout', ${`${longestCountSeconds}s`}, true)`);
      const { reachable, ...counts } = await countByState(
        tx,
        choiceCondition(ctx.projectId, { filter, listId }),
      );
      return { count: reachable, ...counts };
    });
  } catch (error) {
    if (sqlState(error) !== "57014") throw error;
    const field = input.segmentId ? "segmentId" : "listId";
    throw invalid(field, `takes longer than ${longestCountSeconds} seconds to count`);
  }
}
