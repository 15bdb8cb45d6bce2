import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { database } from "@/db/client";
import { pendingMigrations } from "@/db/migrate";
import { reloadEnv, type Env } from "@/lib/ground/env/env";
import { confirmAppSecret } from "@/lib/ground/installation";
import { dataDirectory } from "./data-dir";
import { addressOf, databaseFault, Fault } from "./fault";
import { root } from "./root";
import { readRuntime } from "./runtime";
import { readSecrets } from "./secrets";

const answerSeconds = 10;

/** Reads the settings from the environment, which wins, and from `.env`. Throws a Fault. */
export function readSettings(): Env {
  const file = join(root, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  try {
    return reloadEnv();
  } catch (error) {
    throw new Fault(error instanceof Error ? error.message : String(error));
  }
}

/** Sets environment variables that are not set yet; leaves out undefined values. */
export function settle(values: Partial<Record<string, string>>): Env {
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && !process.env[name]) process.env[name] = value;
  }
  return readSettings();
}

/**
 * The settings of a program that runs beside a launcher or without one: what is not set comes from
 * the product that runs on the same DATA_DIR, then from the secrets an earlier start kept there.
 */
export function adoptSettings(): Env {
  readSettings();
  const dataDir = dataDirectory();
  const running = readRuntime(dataDir);
  const databaseUrl = process.env.DATABASE_URL;
  if (running && (!databaseUrl || databaseUrl === running.DATABASE_URL)) {
    const { pid: _, ...values } = running;
    settle(values);
  }
  const kept = readSecrets(dataDir);
  return settle({ APP_SECRET: kept?.appSecret, CRON_SECRET: kept?.cronSecret });
}

/** Makes sure that a Postgres that we can work with answers at the address. Throws a Fault. */
export async function checkDatabase(url: string): Promise<void> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Fault("DATABASE_URL is not of the form postgres://user:password@host:port/database.");
  }
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const answer = client<{ version: number }[]>`
      select current_setting('server_version_num')::int as version`;
    // The driver's own timeout does not apply to an address that silently drops packets.
    const [server] = await Promise.race([answer, unanswered(url)]);
    if (!server || server.version < 150_000) {
      throw new Fault(
        `The database at ${addressOf(url)} (DATABASE_URL) is older than Postgres 15.`,
      );
    }
  } catch (error) {
    throw databaseFault(error, url) ?? error;
  } finally {
    void client.end({ timeout: 0 }).catch(() => {});
  }
}

async function unanswered(url: string): Promise<never> {
  await sleep(answerSeconds * 1000, undefined, { ref: false });
  throw new Fault(
    `The database at ${addressOf(url)} (DATABASE_URL) cannot be used: it does not answer within ${answerSeconds} s.`,
  );
}

/** Makes sure that the database has this release's schema. Throws a Fault. */
export async function checkSchema(): Promise<void> {
  const pending = await pendingMigrations(database().$client);
  if (pending.length > 0) {
    throw new Fault(
      `The database lacks ${pending.length === 1 ? "the migration" : "the migrations"} ${pending.join(", ")}: run \`npm run lettermill -- migrate\`.`,
    );
  }
}

/** Makes sure that APP_SECRET can decrypt what the database holds. Throws a Fault. */
export async function checkAppSecret(): Promise<void> {
  if (!process.env.APP_SECRET) {
    throw new Fault(
      "APP_SECRET is not set: give the one the installation was made with (`npm start` keeps its own in DATA_DIR).",
    );
  }
  if (!(await confirmAppSecret(database()))) {
    throw new Fault(
      "APP_SECRET is not the one this database was first used with: keys and tokens in it could not be opened.",
    );
  }
}
