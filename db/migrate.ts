import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type postgres from "postgres";
import { openClient } from "./client";
import { countListMembers } from "./count-list-members";
import { sqlState } from "./errors";
import { prepareEventStream } from "./event-stream";
import { applyMigrations } from "./migrator";
import { moveQueuedMail } from "./move-queued-mail";

const migrationsFolder = fileURLToPath(new URL("./migrations", import.meta.url));
/** Any constant will do, as long as every program takes the same. */
const advisoryLock = 7_243_000;
const lockPauseMilliseconds = 200;

/**
 * Brings the database to the newest schema. Programs that start at the same time wait for each other:
 * the lock is a transaction's, so it also holds behind a pooler.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const client = openClient(url, { max: 2 });
  try {
    await client.begin(async (lock) => {
      // Not in a statement that waits, nor in one with values, whose portal stays open: an index being
      // created meanwhile would wait for its snapshot.
      const attempt = `select pg_try_advisory_xact_lock(${advisoryLock}) as ours`;
      while (!(await lock.unsafe<{ ours: boolean }[]>(attempt))[0]?.ours) {
        await sleep(lockPauseMilliseconds);
      }
      await applyMigrations(client, { migrationsFolder });
      await moveQueuedMail(client);
      await countListMembers(client);
      await prepareEventStream(client);
    });
  } finally {
    await client.end({ timeout: 5 });
  }
}

interface Journal {
  entries: { tag: string; when: number }[];
}

const readJournal = () =>
  JSON.parse(readFileSync(join(migrationsFolder, "meta", "_journal.json"), "utf8")) as Journal;

/** The times of the migrations that the database has, which name them. */
async function appliedMigrations(client: postgres.Sql): Promise<Set<number>> {
  try {
    const rows = await client<{ when: string }[]>`
      select created_at::text as "when" from drizzle.__drizzle_migrations`;
    return new Set(rows.map((row) => Number(row.when)));
  } catch (error) {
    // The first migration creates the table.
    if (sqlState(error) !== "42P01" && sqlState(error) !== "3F000") throw error;
    return new Set();
  }
}

/** Names of the migrations that the database still lacks, oldest first. */
export async function pendingMigrations(client: postgres.Sql): Promise<string[]> {
  const applied = await appliedMigrations(client);
  return readJournal().entries.flatMap(({ when, tag }) => (applied.has(when) ? [] : [tag]));
}

/** Whether a later release has migrated the database. */
export async function hasLaterMigrations(client: postgres.Sql): Promise<boolean> {
  const known = new Set(readJournal().entries.map(({ when }) => when));
  return [...(await appliedMigrations(client))].some((when) => !known.has(when));
}
