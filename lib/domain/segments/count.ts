import { and, asc, eq, getTableColumns, inArray, lt, lte, sql } from "drizzle-orm";
import type { Database, Executor, Transaction } from "@/db/client";
import { segments } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { limitStatements, tookTooLong } from "@/db/time-limit";
import { countByState, type StateCounts } from "@/lib/domain/contact-states/count";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { inTurn } from "@/lib/ground/slow-reads";
import { asksAboutMail, compileFilter } from "./compile";
import { c } from "@/lib/domain/contact-states/contact-alias";
import type { SegmentFilter } from "./schema";

export interface SegmentRow extends Omit<typeof segments.$inferSelect, "filter"> {
  filter: SegmentFilter;
  /** Whether the count is too old to be shown. */
  stale: boolean;
}

/**
 * A count is valid for a hundred times as long as it took, but at least 2 and at most 45 seconds: small projects
 * see changes at once, large ones spend a hundredth of a core on each segment that somebody is looking at.
 */
const holds = sql`make_interval(secs =>
  least(45, greatest(2, ${segments.countMilliseconds} / 10.0))::float8)`;

export const segmentColumns = {
  ...getTableColumns(segments),
  filter: sql<SegmentFilter>`${segments.filter}`,
  stale: sql<boolean>`(${segments.countedAt} is null or ${segments.countedAt} + ${holds} <= app_now())`,
};

/** A segment that nobody has looked at for this long is only counted when somebody does. */
const watched = sql`${segments.viewedAt} > app_now() - interval '15 minutes'`;
/** A count that takes longer is abandoned and tried again later; the previous count stays. */
const longestCountSeconds = { request: 20, job: 120 };
/** How long a request's count waits for its turn, with what was asked for done already. */
const patienceMilliseconds = 3_000;

/** How many contacts of the project match, and how many of them campaigns reach. */
export function countMatching(
  executor: Executor,
  projectId: string,
  filter: SegmentFilter,
): Promise<StateCounts> {
  const condition = sql`${c.projectId} = ${projectId} and ${compileFilter(filter, projectId)}`;
  return countByState(executor, projectId, { condition, once: asksAboutMail(filter) });
}

/** Finds the segment to be counted and locks its row. */
type Choose = (tx: Transaction) => Promise<SegmentRow[]>;

/**
 * Counts one segment under its row's lock, so that only one of many callers counts: the others wait and then find a
 * fresh count. Null when `choose` finds none.
 */
async function countOne(
  db: Database,
  choose: Choose,
  { limitSeconds, evenIfFresh }: { limitSeconds: number; evenIfFresh: boolean },
): Promise<SegmentRow | null> {
  let chosen: SegmentRow | undefined;
  try {
    return await db.transaction(async (tx) => {
      [chosen] = await choose(tx);
      if (!chosen || !(chosen.stale || evenIfFresh)) return chosen ?? null;
      await limitStatements(tx, limitSeconds);
      const started = performance.now();
      const { total, excluded } = await countMatching(tx, chosen.projectId, chosen.filter);
      const seconds = (performance.now() - started) / 1000;
      // app_now() is when the transaction began: contacts added during the count may be missing from it.
      const [row] = await tx
        .update(segments)
        .set({
          contactCount: total,
          excluded,
          countedAt: now,
          countMilliseconds: Math.round(seconds * 1000),
          countDueAt: sql`case when ${watched} then app_now()
            + make_interval(secs => greatest(45, ${seconds * 30}::float8)) end`,
        })
        .where(eq(segments.id, chosen.id))
        .returning(segmentColumns);
      return row ?? null;
    });
  } catch (error) {
    if (!chosen) throw error;
    // Not again at once, which would keep the others from being counted.
    await db
      .update(segments)
      .set({ countDueAt: sql`app_now() + interval '10 minutes'` })
      .where(eq(segments.id, chosen.id));
    if (!tookTooLong(error)) throw error;
    return chosen;
  }
}

const underWay = new Map<string, Promise<SegmentRow | null>>();

/**
 * The segment with a count that may be shown; counts if necessary. Concurrent callers share one count, since
 * waiting for the row's lock would occupy a connection each. Where other questions of the project keep it waiting, the
 * previous count stays. Null when there is no such segment.
 */
export function withFreshCount(
  db: Database,
  projectId: string,
  id: string,
): Promise<SegmentRow | null> {
  let counting = underWay.get(id);
  if (!counting) {
    const find = (executor: Executor) =>
      executor
        .select(segmentColumns)
        .from(segments)
        .where(and(eq(segments.projectId, projectId), eq(segments.id, id)));
    const options = { limitSeconds: longestCountSeconds.request, evenIfFresh: false };
    counting = inTurn(projectId, () => countOne(db, (tx) => find(tx).for("update"), options), {
      milliseconds: patienceMilliseconds,
      instead: async () => (await find(db))[0] ?? null,
    }).finally(() => underWay.delete(id));
    underWay.set(id, counting);
  }
  return counting;
}

/** Records that somebody is looking at these segments, so that the job keeps their counts fresh for a while. */
export async function noteViewed(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const unnoted = db
    .select({ id: segments.id })
    .from(segments)
    .where(
      and(
        inArray(segments.id, [...ids]),
        lt(segments.viewedAt, sql`app_now() - interval '1 minute'`),
      ),
    )
    .orderBy(asc(segments.id))
    .for("update", { skipLocked: true });
  await db
    .update(segments)
    .set({
      viewedAt: now,
      countDueAt: sql`coalesce(${segments.countDueAt}, app_now() + interval '45 seconds')`,
    })
    .where(inArray(segments.id, unnoted));
}

/**
 * Counts segments that are due, the longest overdue first, until none is left. A project with many is not the next one
 * again while another waits. Returns how many.
 */
export async function countDueSegments(db: Database, signal: AbortSignal): Promise<number> {
  let last: string | undefined;
  const choose: Choose = (tx) =>
    tx
      .select(segmentColumns)
      .from(segments)
      .where(and(lte(segments.countDueAt, now), worksHere(segments.projectId)))
      .orderBy(
        ...(last === undefined ? [] : [asc(eq(segments.projectId, last))]),
        asc(segments.countDueAt),
      )
      .limit(1)
      .for("update", { skipLocked: true });
  const options = { limitSeconds: longestCountSeconds.job, evenIfFresh: true };
  let counted = 0;
  while (!signal.aborted) {
    const segment = await countOne(db, choose, options);
    if (!segment) break;
    last = segment.projectId;
    counted++;
  }
  return counted;
}
