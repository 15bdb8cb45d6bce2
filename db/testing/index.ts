import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, inject } from "vitest";
import { closeDatabase, database, type Database } from "@/db/client";
import { reloadEnv } from "@/lib/ground/env/env";
import { templateDatabase } from "./global-setup";

export interface TestDatabase {
  /** The process's own pool (`database()`), so code under test that asks for it gets the same. */
  readonly db: Database;
  readonly url: string;
  /** Moves app_now() of this database on by an interval ("3 days"); adds to earlier ones. */
  travel(interval: string): Promise<void>;
}

/** Gives a test file a migrated, empty database of its own, dropped when the file is done. Call at the top level. */
export function useTestDatabase(): TestDatabase {
  const name = `test_${randomBytes(6).toString("hex")}`;
  let travelled = "0";
  let url = "";

  const administer = async (statement: string) => {
    const admin = postgres(inject("postgresUrl"), { max: 1, onnotice: () => {} });
    try {
      await admin.unsafe(statement);
    } finally {
      await admin.end({ timeout: 5 });
    }
  };

  beforeAll(async () => {
    const own = new URL(inject("postgresUrl"));
    own.pathname = `/${name}`;
    url = own.href;
    await administer(`create database ${name} template ${templateDatabase}`);
    await closeDatabase();
    process.env["DATABASE_URL"] = url;
    reloadEnv();
  });

  // Which statement a test waited for is seen only while it waits.
  afterEach(async ({ task }) => {
    if (!task.result?.errors?.some(({ message }) => message.includes("timed out"))) return;
    const admin = postgres(inject("postgresUrl"), { max: 1 });
    try {
      throw new Error(`The database meanwhile: ${await underWay(admin, name)}`);
    } finally {
      await admin.end({ timeout: 5 });
    }
  });

  afterAll(async () => {
    await closeDatabase();
    await administer(`drop database if exists ${name} with (force)`);
  });

  const opened = (): string => {
    if (!url)
      throw new Error("The test database is there from beforeAll on, not while collecting.");
    return url;
  };

  return {
    get db() {
      opened();
      return database();
    },
    get url() {
      return opened();
    },
    async travel(interval) {
      // One interval, however many moves: the function is part of every statement.
      const [sum] = await database().$client<{ travelled: string }[]>`
        select (${travelled}::text::interval + ${interval}::text::interval)::text as travelled`;
      travelled = sum?.travelled ?? travelled;
      await database().$client.unsafe(
        `create or replace function app_now() returns timestamptz language sql stable parallel safe as $$select now() + interval '${travelled}'$$`,
      );
    },
  };
}

/** In one line, the statements of a database that have not ended, and whom they wait for. */
async function underWay(admin: postgres.Sql, name: string): Promise<string> {
  const statements = await admin<{ said: string }[]>`
    select concat_ws(' ', pid, state, 'for', extract(epoch from now() - state_change)::int, 's,',
      'waiting for ' || wait_event_type || ' ' || wait_event, 'behind ' || nullif(pg_blocking_pids(pid), '{}')::text,
      left(regexp_replace(query, '\\s+', ' ', 'g'), 300)) as said
    from pg_stat_activity where datname = ${name} and state <> 'idle' order by xact_start`;
  return statements.map(({ said }) => said).join("; ") || "nothing under way";
}
