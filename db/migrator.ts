import { setTimeout as sleep } from "node:timers/promises";
import { readMigrationFiles, type MigrationMeta } from "drizzle-orm/migrator";
import type postgres from "postgres";
import { sqlState } from "./errors";
import { upkeepSetting } from "./upkeep";

/** A statement waiting for a table makes all others wait behind it: it gives up and is retried. */
export const lockSeconds = 3;
const statementMinutes = 10;
const pauseMilliseconds = 1_000;
/** A reader that takes this long (a backup) has to finish before the upgrade. */
export const patienceMilliseconds = 10 * 60_000;

interface Options {
  migrationsFolder: string;
  /** For how long a table that is in use is retried. */
  patience?: number;
}

/**
 * Applies what the database lacks, oldest first, as drizzle's own migrator records it, but each in a
 * transaction of its own, with time limits. One that has CONCURRENTLY in it runs without a transaction: each of
 * its statements can be repeated, which npm run check sees to. The caller keeps other programs from it.
 */
export async function applyMigrations(
  client: postgres.Sql,
  { migrationsFolder, patience = patienceMilliseconds }: Options,
): Promise<void> {
  await client`create schema if not exists drizzle`;
  await client`create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint)`;
  const [last] = await client<{ at: string | null }[]>`
    select max(created_at)::text as at from drizzle.__drizzle_migrations`;
  const deadline = performance.now() + patience;
  for (const migration of readMigrationFiles({ migrationsFolder })) {
    if (migration.folderMillis <= Number(last?.at ?? -1)) continue;
    await untilUnlocked(deadline, () =>
      isOnline(migration) ? applyOnline(client, migration) : applyAtOnce(client, migration),
    );
  }
}

const isOnline = ({ sql }: MigrationMeta) => sql.some((text) => /\bconcurrently\b/i.test(text));

/** Applies it again as long as it gives a lock up, until `deadline` (of performance.now()). */
export async function untilUnlocked(deadline: number, apply: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await apply();
    } catch (error) {
      const locked = sqlState(error) === "55P03";
      if (!locked || performance.now() > deadline) throw error;
      await sleep(pauseMilliseconds);
    }
  }
}

async function applyAtOnce(client: postgres.Sql, migration: MigrationMeta): Promise<void> {
  await client.begin(async (tx) => {
    await tx.unsafe(`set local lock_timeout = '${lockSeconds}s'`);
    await tx.unsafe(`set local statement_timeout = '${statementMinutes}min'`);
    // What a project that moved to another database has left here refuses all other changes.
    await tx.unsafe(`set local ${upkeepSetting} = 'on'`);
    for (const statement of migration.sql) await tx.unsafe(statement);
    await note(tx, migration);
  });
}

async function applyOnline(client: postgres.Sql, migration: MigrationMeta): Promise<void> {
  // It waits for the transactions of others, but they do not wait for it: it may take its time.
  for (const statement of migration.sql) await client.unsafe(statement);
  await note(client, migration);
}

async function note(
  client: postgres.Sql | postgres.TransactionSql,
  { hash, folderMillis }: MigrationMeta,
): Promise<void> {
  await client`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
}
