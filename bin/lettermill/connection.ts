import { setTimeout as sleep } from "node:timers/promises";
import { closeDatabase, database, type Database } from "@/db/client";
import { migrateDatabase } from "@/db/migrate";
import { env } from "@/lib/ground/env/env";
import { openDataDirectory, dataDirectory } from "@/bin/start/data-dir";
import { databaseFault, Fault } from "@/bin/start/fault";
import { acquireLock } from "@/bin/start/lock";
import { startPostgres } from "@/bin/start/postgres";
import { lockFile, readRuntime, runningLauncher } from "@/bin/start/runtime";
import { ensureSecrets } from "@/bin/start/secrets";
import {
  adoptSettings,
  checkAppSecret,
  checkDatabase,
  checkSchema,
  settle,
} from "@/bin/start/settings";

/** A launcher that is starting may be building first. */
const launcherWaitSeconds = 300;
const commandWaitSeconds = 60;

/** Waits while a launcher is starting; afterwards its settings are known. */
async function awaitLauncher(dataDir: string): Promise<void> {
  const deadline = Date.now() + launcherWaitSeconds * 1000;
  for (;;) {
    const launcher = runningLauncher(dataDir);
    if (!launcher || readRuntime(dataDir)) return;
    if (Date.now() > deadline) {
      throw new Fault(`The product (process ${launcher.pid}) is not starting up.`);
    }
    await sleep(100);
  }
}

async function migrate(url: string): Promise<void> {
  try {
    await migrateDatabase(env().DATABASE_DIRECT_URL ?? url);
  } catch (error) {
    throw databaseFault(error, url) ?? error;
  }
}

/** Runs the embedded Postgres for as long as `run` takes, which gets its url. */
async function withEmbedded<Result>(run: (url: string) => Promise<Result>): Promise<Result> {
  const dataDir = openDataDirectory();
  const release = await acquireLock(lockFile(dataDir), "command", {
    waitSeconds: () => commandWaitSeconds,
    refusal: (holder) => `DATA_DIR ${dataDir} is in use by process ${holder.pid}.`,
  });
  try {
    const secrets = ensureSecrets(dataDir);
    const postgres = await startPostgres(dataDir, secrets.postgresPassword);
    try {
      settle({
        DATABASE_URL: postgres.url,
        APP_SECRET: secrets.appSecret,
        CRON_SECRET: secrets.cronSecret,
      });
      return await run(postgres.url);
    } finally {
      await closeDatabase();
      await postgres.stop();
    }
  } finally {
    release();
  }
}

/**
 * Gives a command its database: that of DATABASE_URL, otherwise the running product's, otherwise the
 * embedded one, started for as long as the command runs and migrated to this release's schema.
 */
export async function withDatabase<Result>(
  run: (db: Database) => Promise<Result>,
): Promise<Result> {
  if (!adoptSettings().DATABASE_URL) await awaitLauncher(dataDirectory());
  const { DATABASE_URL: url, APP_SECRET } = adoptSettings();
  if (!url) {
    return withEmbedded(async (embedded) => {
      await migrate(embedded);
      await checkAppSecret();
      return run(database());
    });
  }
  // The first program on a new DATABASE_URL creates the secrets that later ones find.
  if (!APP_SECRET) settle({ APP_SECRET: ensureSecrets(openDataDirectory()).appSecret });
  try {
    await checkDatabase(url);
    await checkSchema();
    await checkAppSecret();
    return await run(database());
  } finally {
    await closeDatabase();
  }
}

/** Migrates the database, whichever it is, to this release's schema. */
export async function migrateAny(): Promise<void> {
  if (!adoptSettings().DATABASE_URL) await awaitLauncher(dataDirectory());
  const { DATABASE_URL: url } = adoptSettings();
  if (!url) return withEmbedded(migrate);
  await checkDatabase(url);
  await migrate(url);
}
