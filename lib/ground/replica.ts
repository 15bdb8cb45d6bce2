import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { connect, type Database } from "@/db/client";
import { errorCode, isDatabaseAway, sqlState } from "@/db/errors";
import { env } from "./env/env";
import { log } from "./log";
import { metrics } from "./metrics/metrics";

/** Milliseconds that a read waits for the replica to have what was committed before it. */
const patience = 250;
/** Milliseconds for which a replica that was away, behind or too busy is left alone. */
const rest = 2_000;

/** Next bundles modules more than once; the pool and what is known of it are the process's. */
const holder = globalThis as {
  lettermillReplica?: { url: string; db: Database; restsUntil: number };
};

function opened() {
  const url = env().DATABASE_READ_URL;
  if (url === undefined) return null;
  if (holder.lettermillReplica?.url !== url) {
    void closeReplica();
    holder.lettermillReplica = { url, db: connect(url), restsUntil: 0 };
  }
  return holder.lettermillReplica;
}

/** Ends the replica's pool; waits up to five seconds for statements under way. */
export async function closeReplica(): Promise<void> {
  const replica = holder.lettermillReplica;
  delete holder.lettermillReplica;
  await replica?.db.$client.end({ timeout: 5 });
}

/** Whether the replica has all that is on the primary's disk by now, or has it in time. */
async function catchesUp(primary: Database, replica: Database): Promise<boolean> {
  const deadline = performance.now() + patience;
  const [position] = await primary.execute<{ written: string }>(
    sql`select pg_current_wal_flush_lsn()::text as written`,
  );
  for (let wait = 2; ; wait *= 2) {
    // After a failover both may lead to the same server.
    const [state] = await replica.execute<{ reached: boolean }>(sql`
      select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
        else pg_current_wal_flush_lsn() end >= ${position?.written}::pg_lsn as reached`);
    if (state?.reached) return true;
    if (performance.now() >= deadline) return false;
    await sleep(wait);
  }
}

/** What a read may fail with for no other reason than that it ran on a replica. */
function isReplicas(error: unknown): boolean {
  // 40001: what it read was cleaned up on the primary, and the replica followed.
  return isDatabaseAway(error) || sqlState(error) === "40001";
}

/**
 * Runs a read on the replica (DATABASE_READ_URL) once that has everything committed so far, so that whoever
 * wrote sees it; without a replica, and where it is away, behind or fails, on the primary. `read` may run
 * twice. One that writes fails on the replica and is run on the primary.
 */
export async function onReplica<Scope extends { db: Database }, Result>(
  scope: Scope,
  read: (scope: Scope) => Promise<Result>,
): Promise<Result> {
  const replica = opened();
  if (!replica || performance.now() < replica.restsUntil) return read(scope);
  try {
    const ready = await Promise.race([
      catchesUp(scope.db, replica.db),
      // A server that drops packets, or a pool that is busy with exports.
      sleep(2 * patience, false, { ref: false }),
    ]);
    if (ready) {
      const result = await read({ ...scope, db: replica.db });
      metrics.replicaReads.inc({ result: "replica" });
      return result;
    }
    replica.restsUntil = performance.now() + rest;
    metrics.replicaReads.inc({ result: "behind" });
  } catch (error) {
    if (!isReplicas(error)) throw error;
    const writes = sqlState(error) === "25006";
    if (!writes) replica.restsUntil = performance.now() + rest;
    metrics.replicaReads.inc({ result: writes ? "writes" : "failed" });
    log.warn({ code: errorCode(error) }, "A read went to the primary: the replica refused it.");
  }
  return read(scope);
}
