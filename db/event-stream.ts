import type postgres from "postgres";
import { lockSeconds, patienceMilliseconds, untilUnlocked } from "./migrator";

/** More transactions than a cluster has in decades: another's positions never reach it. */
const leap = 2n ** 44n;
const streamed = ["email_events", "project_events"];

/**
 * Gives each partition of email_events the stream's index. Only the update that introduced it finds any
 * without: a new partition gets it from its parent. Made CONCURRENTLY, since events are written meanwhile.
 */
async function indexPartitions(client: postgres.Sql): Promise<void> {
  const bare = await client<{ name: string }[]>`
    select c.relname as name from pg_inherits part join pg_class c on c.oid = part.inhrelid
    where part.inhparent = 'email_events'::regclass and not exists (
      select from pg_inherits attached join pg_index x on x.indexrelid = attached.inhrelid
      where attached.inhparent = 'email_events_stream'::regclass and x.indrelid = c.oid)
    order by 1`;
  for (const { name } of bare) {
    const index = `${name}_stream`;
    // One whose creation was interrupted exists, but is of no use.
    await client.unsafe(`drop index concurrently if exists "${index}"`);
    await client.unsafe(`create index concurrently "${index}" on "${name}" (project_id, position)
      where position is not null`);
    await client.unsafe(`alter index email_events_stream attach partition "${index}"`);
  }
}

/**
 * Positions are numbers of transactions, which another cluster counts from the beginning again: after a dump
 * is restored there, new ones are shifted beyond all that are stored or that a caller may hold.
 */
async function shiftPositions(client: postgres.Sql): Promise<void> {
  const [cluster] = await client<{ id: string }[]>`
    select system_identifier::text as id from pg_control_system()`;
  if (!cluster) throw new Error("Postgres does not say which cluster it is.");
  const [clock] = await client<{ cluster: string; shift: string }[]>`
    select cluster, shift::text from event_clock`;
  if (clock?.cluster === cluster.id) return;
  if (!clock) {
    await client`insert into event_clock (cluster, shift) values (${cluster.id}, 0)`;
    return;
  }
  const shift = BigInt(clock.shift) + leap;
  await untilUnlocked(performance.now() + patienceMilliseconds, async () => {
    await client.begin(async (tx) => {
      // Whoever writes events waits behind this while somebody reads them.
      await tx.unsafe(`set local lock_timeout = '${lockSeconds}s'`);
      await setShift(tx, cluster.id, shift);
    });
  });
}

async function setShift(
  tx: postgres.TransactionSql,
  cluster: string,
  shift: bigint,
): Promise<void> {
  for (const table of streamed) {
    await tx.unsafe(`alter table ${table} alter column position
      set default (pg_current_xact_id()::text)::bigint + ${shift}`);
  }
  await tx`update event_clock set cluster = ${cluster}, shift = ${shift.toString()}`;
}

/** The position that an event written now would have, or one a little below it. */
export async function positionOf(client: postgres.Sql | postgres.TransactionSql): Promise<bigint> {
  const [row] = await client<{ position: string }[]>`
    select (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + shift)::text as position
    from event_clock`;
  if (!row) throw new Error("The stream of events has no clock.");
  return BigInt(row.position);
}

/**
 * Shifts new positions so that all are above `least`: events of another cluster may then be put before them. Locks
 * the tables of events for a moment, so that no writer has the old shift.
 */
export async function liftPositions(tx: postgres.TransactionSql, least: bigint): Promise<void> {
  await tx.unsafe(`lock table ${streamed.join(", ")} in access exclusive mode`);
  const [clock] = await tx<{ cluster: string; shift: string }[]>`
    select cluster, shift::text from event_clock`;
  if (!clock) throw new Error("The stream of events has no clock.");
  const missing = least - (await positionOf(tx));
  if (missing > 0n) await setShift(tx, clock.cluster, BigInt(clock.shift) + missing);
}

/** Makes the database ready for the stream of events; a second time there is nothing to do. */
export async function prepareEventStream(client: postgres.Sql): Promise<void> {
  await indexPartitions(client);
  await shiftPositions(client);
}
