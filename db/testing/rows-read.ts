import { sql, type SQL } from "drizzle-orm";
import type { Database } from "@/db/client";

/**
 * How many rows of the tables, by index or without, were read while `work` ran. `db` has one connection alone, which
 * does the work; the database's other connections are ended before.
 */
export const rowsRead = (
  db: Database,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<number> =>
  during(
    work,
    db,
    (of) => sql`
    select coalesce((select sum(idx_tup_read) from pg_stat_user_indexes where ${of(tables)}), 0)::int
      + (select sum(seq_tup_read) from pg_stat_user_tables where ${of(tables)})::int as read`,
  );

/**
 * The same for pages of 8 kB, of indexes, too: what an index leaves out on its way is no row that was read. A look-up by
 * the whole key takes about four.
 */
export const pagesRead = (
  db: Database,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<number> =>
  during(
    work,
    db,
    (of) => sql`
    select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0))::int as read
    from pg_statio_user_tables where ${of(tables)}`,
  );

async function during(
  work: () => Promise<unknown>,
  db: Database,
  statement: (of: (tables: readonly string[]) => SQL) => SQL,
): Promise<number> {
  const read = async () => {
    await db.execute(sql`select pg_stat_force_next_flush()`);
    const [row] = await db.execute<{ read: number }>(
      statement((tables) => sql`relname = any(${sql.param(tables)}::text[])`),
    );
    return row?.read ?? 0;
  };
  // Each connection counts for itself, and tells what it read up to ten seconds later, or when it ends.
  await db.execute(sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`);
  const before = await read();
  await work();
  return (await read()) - before;
}
