import { sql, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database, Transaction } from "@/db/client";
import { limitStatements, tookTooLong } from "@/db/time-limit";
import { beginUpkeep } from "@/db/upkeep";

export const batch = 1_000;
const leastBatch = 50;
/** A statement's snapshot keeps vacuum from what has been deleted since, everywhere. */
const statementSeconds = 30;
const lockSeconds = 2;

interface Limits {
  seconds?: number;
  /** How many rows to begin with. */
  most?: number;
}

/**
 * Runs a short piece of the clean-up: anything that takes longer or waits for a lock fails, and the next run tries
 * again.
 */
export function bounded<Result>(
  db: Database,
  run: (tx: Transaction) => Promise<Result>,
  { seconds = statementSeconds }: Limits = {},
): Promise<Result> {
  return db.transaction(async (tx) => {
    await limitStatements(tx, seconds, lockSeconds);
    await beginUpkeep(tx);
    return run(tx);
  });
}

/**
 * Runs `step` until it does less than it was to, each time in a transaction of its own. It gets how many rows it may
 * take and resolves to how many it took; one that takes too long is repeated with half as many. Resolves to the sum.
 */
export async function inBatches(
  db: Database,
  signal: AbortSignal,
  step: (tx: Transaction, most: number) => Promise<number>,
  limits: Limits = {},
): Promise<number> {
  let done = 0;
  let most = limits.most ?? batch;
  while (!signal.aborted) {
    try {
      const taken = await bounded(db, (tx) => step(tx, most), limits);
      done += taken;
      if (taken < most) break;
    } catch (error) {
      if (!tookTooLong(error) || most <= leastBatch) throw error;
      most = Math.ceil(most / 2);
    }
  }
  return done;
}

/**
 * Deletes in small statements, so that nobody waits for long locks. `condition` is only about the table itself,
 * which must not be partitioned: rows of different partitions can have the same ctid.
 */
export function deleteOld(
  db: Database,
  signal: AbortSignal,
  table: PgTable,
  condition: SQL,
  limits: Limits = {},
): Promise<number> {
  const step = async (tx: Transaction, most: number) => {
    const rows = await tx.execute(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${condition} limit ${most} for update skip locked
      )) returning 1 as one`);
    return rows.length;
  };
  return inBatches(db, signal, step, limits);
}
