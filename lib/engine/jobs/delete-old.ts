import { sql, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database, Transaction } from "@/db/client";
import { limitStatements } from "@/db/time-limit";

export const batch = 1_000;
const statementMinutes = 5;
const lockSeconds = 2;

/**
 * Runs a short piece of the clean-up: anything that takes longer or waits for a lock fails, and the next run tries
 * again.
 */
export function bounded<Result>(
  db: Database,
  run: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await limitStatements(tx, 60 * statementMinutes, lockSeconds);
    return run(tx);
  });
}

/**
 * Deletes in small statements, so that nobody waits for long locks. `condition` is only about the table itself,
 * which must not be partitioned: rows of different partitions can have the same ctid.
 */
export async function deleteOld(
  db: Database,
  signal: AbortSignal,
  table: PgTable,
  condition: SQL,
): Promise<number> {
  let deleted = 0;
  while (!signal.aborted) {
    const rows = await bounded(db, (tx) =>
      tx.execute(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${condition} limit ${batch} for update skip locked
      )) returning 1 as one`),
    );
    deleted += rows.length;
    if (rows.length < batch) break;
  }
  return deleted;
}
