import { sql, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database } from "@/db/client";

export const batch = 1_000;

/** Deletes in small statements, so that nobody waits for long locks. `condition` is of the table alone. */
export async function deleteOld(
  db: Database,
  signal: AbortSignal,
  table: PgTable,
  condition: SQL,
): Promise<number> {
  let deleted = 0;
  while (!signal.aborted) {
    const rows = await db.execute(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${condition} limit ${batch} for update skip locked
      )) returning 1 as one`);
    deleted += rows.length;
    if (rows.length < batch) break;
  }
  return deleted;
}
