import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { until } from "./until";

/** Waits until exactly `count` sessions of the test's database wait for a lock. */
export async function untilBlocked(db: Database, count = 1): Promise<void> {
  await until(async () => {
    const [row] = await db.execute<{ waiting: number }>(sql`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return row?.waiting === count;
  });
}
