import { sql, type SQL } from "drizzle-orm";
import { columns } from "@/db/names";
import type { Database, Transaction } from "@/db/client";
import { sqlState } from "@/db/errors";
import { emailEvents, projectMoves, projects } from "@/db/schema";
import { installationDays } from "@/lib/domain/retention/retention";
import { leastDays } from "@/lib/domain/retention/schema";
import { log } from "@/lib/ground/log";
import { bounded, inBatches } from "./delete-old";

/*
 * Events of emails go by whole months. An index by project and time would cost every event, so the month's
 * partition is read once, block by block, for all projects whose term has passed it.
 */

/** 16 MB. */
const blocksAtOnce = 2_000;
const defaultPartition = "email_events_default";

interface Month {
  name: string;
  /** The first instant that is no longer the month's. */
  end: string;
}

/** Months with a partition that the shortest term has passed, oldest first. */
async function pastMonths(db: Database): Promise<Month[]> {
  const months = await db.execute<{ name: string; end: string }>(sql`
    select month.name, month."end"::text from pg_inherits part
      join pg_class c on c.oid = part.inhrelid
      cross join lateral (select c.relname::text as name,
        (to_date(substring(c.relname from '[0-9]{6}$'), 'YYYYMM') + interval '1 month')
          at time zone 'UTC' as "end") month
    where part.inhparent = 'email_events'::regclass and month."end" is not null
      and month."end" <= app_now() - make_interval(days => ${leastDays.events})
    order by month."end"`);
  return [...months];
}

/** Which projects no longer keep a month's events and may still have some, and whether any other keeps them. */
async function projectsPast(db: Database, end: string): Promise<{ due: string[]; kept: boolean }> {
  const term = sql`least((${projects.retention} ->> 'events')::int,
    ${sql.param(installationDays("events"))}::int)`;
  const past = sql`coalesce(${end}::timestamptz <= app_now() - make_interval(days => ${term}), false)`;
  const [row] = await db.execute<{ due: string[] | null; kept: boolean }>(sql`
    select array_agg(${projects.id}) filter (where ${past} and ${projects.createdAt} < ${end}::timestamptz
        and coalesce(${projects.eventsGoneBefore} < ${end}::timestamptz, true)) as due,
      coalesce(bool_or(not ${past}), false) as kept
    from ${projects}`);
  return { due: row?.due ?? [], kept: row?.kept ?? true };
}

/** Deletes from one partition what meets the condition; resolves to how many rows that was. */
async function sweep(
  db: Database,
  signal: AbortSignal,
  name: string,
  condition: SQL,
  most: number,
): Promise<number> {
  let gone = 0;
  let from = 0;
  const step = async (tx: Transaction, blocks: number) => {
    const place = (block: number) => sql`${`(${block},0)`}::tid`;
    const [row] = await tx.execute<{ gone: number; size: number }>(sql`
      with gone as (
        delete from ${sql.identifier(name)} ${emailEvents}
        where ${emailEvents}.ctid >= ${place(from)} and ${emailEvents}.ctid < ${place(from + blocks)}
          and ${condition} returning 1
      )
      select count(*)::int as gone,
        (pg_relation_size(${name}::regclass) / current_setting('block_size')::int)::int as size
      from gone`);
    gone += row?.gone ?? 0;
    const left = (row?.size ?? 0) - from;
    from += blocks;
    return Math.max(0, Math.min(blocks, left));
  };
  await inBatches(db, signal, step, { most });
  return gone;
}

/** Whether the partition was dropped: while a project moves, it is to be in both databases. */
async function dropMonth(db: Database, { name, end }: Month): Promise<boolean> {
  return bounded(db, async (tx) => {
    const [moves] = await tx.execute<{ under_way: boolean }>(sql`
      select exists (select from ${projectMoves}
        where ${projectMoves.state} not in ('moved', 'arrived')) as under_way`);
    if (moves?.under_way) return false;
    await tx.execute(sql`drop table ${sql.identifier(name)}`);
    log.info({ partition: name, before: end }, "The events of a month are gone.");
    return true;
  });
}

async function isEmpty(db: Database, name: string): Promise<boolean> {
  const [row] = await bounded(db, (tx) =>
    tx.execute<{ empty: boolean }>(
      sql`select not exists (select from ${sql.identifier(name)}) as empty`,
    ),
  );
  return row?.empty ?? false;
}

async function expireMonth(
  db: Database,
  signal: AbortSignal,
  month: Month,
  blocks: number,
): Promise<number> {
  const { due, kept } = await projectsPast(db, month.end);
  let gone = 0;
  if (due.length > 0) {
    const theirs = sql`${emailEvents.projectId} = any(${sql.param(due)}::uuid[])`;
    if (kept) gone += await sweep(db, signal, month.name, theirs, blocks);
    // Events from before there was a partition for their month.
    const older = sql`${theirs} and ${emailEvents.createdAt} < ${month.end}::timestamptz`;
    gone += await sweep(db, signal, defaultPartition, older, blocks);
    if (signal.aborted) return gone;
  }
  const isDropped = (!kept || (await isEmpty(db, month.name))) && (await dropMonth(db, month));
  if ((kept || isDropped) && due.length > 0) {
    await db.execute(sql`
      update ${projects} set ${columns(projects.eventsGoneBefore)} = ${month.end}::timestamptz
      where ${projects.id} = any(${sql.param(due)}::uuid[])`);
  }
  return gone;
}

/**
 * Deletes the months of events that projects no longer keep, and drops the partitions of those that nobody keeps.
 * Resolves to how many rows were deleted one by one.
 */
export async function expireEventMonths(
  db: Database,
  signal: AbortSignal,
  { blocks = blocksAtOnce }: { blocks?: number } = {},
): Promise<number> {
  let gone = 0;
  for (const month of await pastMonths(db)) {
    if (signal.aborted) break;
    try {
      gone += await expireMonth(db, signal, month, blocks);
    } catch (error) {
      if (sqlState(error) !== "55P03") throw error;
      log.info("email_events is in use: what is old in it goes with the next clean-up");
      break;
    }
  }
  return gone;
}
