import { asc, gt, sql } from "drizzle-orm";
import { insertSelected } from "@/db/names";
import type { Database } from "@/db/client";
import { eventClock, eventMarks, projectEvents, projects } from "@/db/schema";
import { bounded, deleteOld } from "./delete-old";

const projectsAtOnce = 200;
const keptDays = 30;

/**
 * Records up to where the stream of events is now complete, and deletes what was complete before the retention
 * period. Resolves to how many events were deleted.
 */
export async function expireEvents(db: Database, signal: AbortSignal): Promise<number> {
  await bounded(db, (tx) =>
    tx.execute(sql`
    ${insertSelected(eventMarks, {
      position: sql`pg_snapshot_xmin(pg_current_snapshot())::text::bigint + ${eventClock.shift}`,
    })}
    from ${eventClock} on conflict do nothing`),
  );
  // The last mark of that time stays, as it is the oldest position a caller may have.
  const [oldest] = await bounded(db, (tx) =>
    tx.execute<{ position: string }>(sql`
    with oldest as (
      select ${eventMarks.at}, ${eventMarks.position} from ${eventMarks}
      where ${eventMarks.at} <= app_now() - make_interval(days => ${keptDays})
      order by ${eventMarks.at} desc limit 1
    ), gone as (delete from ${eventMarks} using oldest where ${eventMarks.at} < oldest.at)
    select position::text from oldest`),
  );
  if (!oldest) return 0;
  let gone = 0;
  let after: string | null = null;
  while (!signal.aborted) {
    const page: { id: string }[] = await db
      .select({ id: projects.id })
      .from(projects)
      .where(after === null ? undefined : gt(projects.id, after))
      .orderBy(asc(projects.id))
      .limit(projectsAtOnce);
    const last = page.at(-1);
    if (!last) break;
    gone += await deleteOld(
      db,
      signal,
      projectEvents,
      sql`${projectEvents.projectId} = any(${sql.param(page.map(({ id }) => id))}::uuid[])
        and ${projectEvents.position} < ${oldest.position}::bigint`,
    );
    after = last.id;
  }
  return gone;
}
