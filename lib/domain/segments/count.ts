import { sql, type SQL } from "drizzle-orm";
import type { Database, Executor } from "@/db/client";
import { sqlState } from "@/db/errors";
import { compileFilter } from "./compile";
import type { SegmentFilter } from "./schema";

export interface SegmentRow extends Record<string, unknown> {
  /** uuid */
  id: string;
  project_id: string;
  name: string;
  filter: SegmentFilter;
  contact_count: number;
  counted_at: string | null;
  created_at: string;
  updated_at: string;
  /** The count is older than may be shown. */
  stale: boolean;
}

/**
 * A count holds for a hundred times what it took, 2 seconds at least and 45 at most: small projects see
 * theirs at once, large ones spend a hundredth of a core on each segment that somebody looks at.
 */
const holds = sql`make_interval(secs => least(45, greatest(2, s.count_milliseconds / 10.0))::float8)`;

export const segmentColumns = sql`s.id, s.project_id, s.name, s.filter, s.contact_count, s.counted_at,
  s.created_at, s.updated_at,
  (s.counted_at is null or s.counted_at + ${holds} <= app_now()) as stale`;

/** What follows from nobody having looked for so long: the next look counts at once. */
const watched = sql`s.viewed_at > app_now() - interval '15 minutes'`;
/** A count that takes longer is given up and tried again later; what was counted before stays. */
const longestCountSeconds = { request: 20, job: 120 };

/** How many contacts of the project match. */
export async function countMatching(
  executor: Executor,
  projectId: string,
  condition: SQL,
): Promise<number> {
  const [row] = await executor.execute<{ count: number }>(sql`
    select count(*)::int as count from contacts c
    where c.project_id = ${projectId} and ${condition}`);
  return row?.count ?? 0;
}

/**
 * Counts one segment under its row's lock, so that of many who want to only one does: those who wait
 * find a fresh count. Null when `choice` finds none.
 */
async function countOne(
  db: Database,
  choice: SQL,
  { limitSeconds, evenIfFresh }: { limitSeconds: number; evenIfFresh: boolean },
): Promise<SegmentRow | null> {
  let chosen: SegmentRow | undefined;
  try {
    return await db.transaction(async (tx) => {
      [chosen] = await tx.execute<SegmentRow>(sql`
        select ${segmentColumns} from segments s where ${choice}`);
      if (!chosen || !(chosen.stale || evenIfFresh)) return chosen ?? null;
      await tx.execute(sql`select set_config('statement_timeout', ${`${limitSeconds}s`}, true)`);
      const started = performance.now();
      const count = await countMatching(
        tx,
        chosen.project_id,
        compileFilter(chosen.filter, chosen.project_id),
      );
      const seconds = (performance.now() - started) / 1000;
      // app_now() is when the transaction began: who comes while it counts may not be in the count.
      const [row] = await tx.execute<SegmentRow>(sql`
        update segments s set contact_count = ${count}, counted_at = app_now(),
          count_milliseconds = ${Math.round(seconds * 1000)},
          count_due_at = case when ${watched} then app_now()
            + make_interval(secs => greatest(45, ${seconds * 30}::float8)) end
        where s.id = ${chosen.id}
        returning ${segmentColumns}`);
      return row ?? null;
    });
  } catch (error) {
    if (!chosen) throw error;
    // Not at once again: it would keep the others from being counted.
    await db.execute(sql`
      update segments set count_due_at = app_now() + interval '10 minutes' where id = ${chosen.id}`);
    // 57014: the time was up.
    if (sqlState(error) !== "57014") throw error;
    return chosen;
  }
}

const underWay = new Map<string, Promise<SegmentRow | null>>();

/**
 * The segment with a count that may be shown; counts when it must. Callers at once share one: waiting for
 * the row's lock would keep a connection each. Null when there is no such segment.
 */
export function withFreshCount(
  db: Database,
  projectId: string,
  id: string,
): Promise<SegmentRow | null> {
  let counting = underWay.get(id);
  if (!counting) {
    const choice = sql`s.project_id = ${projectId} and s.id = ${id} for update`;
    counting = countOne(db, choice, {
      limitSeconds: longestCountSeconds.request,
      evenIfFresh: false,
    }).finally(() => underWay.delete(id));
    underWay.set(id, counting);
  }
  return counting;
}

/** Notes that somebody looks at these segments: the job then keeps their counts fresh for a while. */
export async function noteViewed(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.execute(sql`
    update segments s set viewed_at = app_now(),
      count_due_at = coalesce(s.count_due_at, app_now() + interval '45 seconds')
    where s.id in (
      select id from segments
      where id = any(${sql.param(ids)}::uuid[]) and viewed_at < app_now() - interval '1 minute'
      order by id for update skip locked)`);
}

/** Counts segments whose time has come, the longest due first, until none is left. Gives their number. */
export async function countDueSegments(db: Database, signal: AbortSignal): Promise<number> {
  const choice = sql`
    s.count_due_at <= app_now() order by s.count_due_at limit 1 for update skip locked`;
  const options = { limitSeconds: longestCountSeconds.job, evenIfFresh: true };
  let counted = 0;
  while (!signal.aborted && (await countOne(db, choice, options))) counted++;
  return counted;
}
