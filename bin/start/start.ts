import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { closeDatabase, database } from "@/db/client";
import { migrateDatabase } from "@/db/migrate";
import { env } from "@/lib/ground/env/env";
import { build, isBuilt } from "./build";
import { programProcesses, restartOnChange, superviseProgram } from "./children";
import { openDataDirectory } from "./data-dir";
import { addressOf, databaseFault, Fault, report } from "./fault";
import { greeting, welcome } from "./greeting";
import { acquireLock } from "./lock";
import { usablePort } from "./ports";
import { keepPostgres, type KeptPostgres } from "./postgres";
import { processCounts } from "./processes";
import { root } from "./root";
import { lockFile, removeRuntime, writeRuntime } from "./runtime";
import { ensureSecrets, type Secrets } from "./secrets";
import { checkAppSecret, checkDatabase, readSettings, settle } from "./settings";
import { stopSignal } from "./signals";
import type { Supervised } from "./supervisor";
import { progress } from "./terminal";

/** How long to wait for programs other than web to report that they serve. */
const readySeconds = 15;

/** What has been started, and how it is stopped again: newest first. */
class Launch {
  readonly programs: Supervised[] = [];
  postgres: KeptPostgres | null = null;
  readonly #undo: (() => void | Promise<void>)[] = [];

  constructor(readonly signal: AbortSignal) {}

  onStop(undo: () => void | Promise<void>): void {
    this.#undo.push(undo);
  }

  async stop(): Promise<void> {
    for (let undo = this.#undo.pop(); undo; undo = this.#undo.pop()) {
      await Promise.resolve(undo()).catch(report);
    }
  }

  /** The second Ctrl-C: waits for nothing. Postgres recovers at its next start. */
  force(): never {
    for (const program of this.programs) program.kill();
    if (this.postgres?.pid) process.kill(this.postgres.pid, "SIGQUIT");
    process.exit(1);
  }
}

/** Checks ports before anything starts, and chooses those that were left open. */
async function choosePorts(): Promise<void> {
  const { PORT, HOST } = env();
  process.env.PORT = String(await usablePort(PORT, HOST, "PORT"));
  for (const setting of ["SMTP_RELAY_PORT", "SMTP_INBOUND_PORT"] as const) {
    const port = env()[setting];
    if (port !== undefined) process.env[setting] = String(await usablePort(port, HOST, setting));
  }
  readSettings();
}

/** Provides a reachable database with this release's schema. */
async function bringDatabase(launch: Launch, dataDir: string, secrets: Secrets): Promise<string> {
  const databaseUrl = env().DATABASE_URL;
  if (databaseUrl) {
    await checkDatabase(databaseUrl);
    progress(`Postgres at ${addressOf(databaseUrl)} answers`);
  } else {
    const postgres = await keepPostgres(dataDir, secrets.postgresPassword);
    launch.postgres = postgres;
    launch.onStop(async () => {
      await postgres.stop();
      progress("Postgres stopped");
    });
    settle({ DATABASE_URL: postgres.url });
    progress(`Postgres runs on port ${postgres.port}, its data in ${dataDir}`);
  }
  const url = env().DATABASE_URL ?? "";
  launch.signal.throwIfAborted();
  try {
    await migrateDatabase(env().DATABASE_DIRECT_URL ?? url);
  } catch (error) {
    throw databaseFault(error, url) ?? error;
  }
  launch.onStop(closeDatabase);
  await checkAppSecret();
  return url;
}

async function bringPrograms(
  launch: Launch,
  dev: boolean,
): Promise<{ name: string; text: string }[]> {
  const counts = processCounts({ dev });
  // From this number a web process knows whether it shares its port.
  process.env.WEB_PROCESSES = String(counts.web);
  const programs = programProcesses(counts).map(superviseProgram);
  launch.programs.push(...programs);
  launch.onStop(async () => {
    await Promise.all(programs.map((program) => program.stop()));
    progress("Programs stopped");
  });
  const served = programs.map(async ({ program, name, ready }) => {
    const patience =
      program === "web" ? ready : Promise.race([ready, sleep(readySeconds * 1000, "")]);
    const text = await patience.catch(() => {
      throw new Fault(`The ${name} program did not come up: its own words are above.`);
    });
    progress(`${name} runs${text ? `: ${text}` : ""}`);
    return { name, text };
  });
  const all = Promise.all(served);
  await Promise.race([all, once(launch.signal, "abort")]);
  all.catch(() => {});
  launch.signal.throwIfAborted();
  return all;
}

async function bringUp(launch: Launch, dev: boolean): Promise<void> {
  readSettings();
  settle({ NODE_ENV: dev ? "development" : "production" });
  const dataDir = openDataDirectory();
  const release = await acquireLock(lockFile(dataDir), "start", {
    // A command will finish on its own; another launcher will not.
    waitSeconds: (holder) => (holder.purpose === "command" ? 60 : 0),
    refusal: (holder) =>
      `Lettermill runs on DATA_DIR ${dataDir} already (process ${holder.pid}): stop it first, or set DATA_DIR and PORT to others.`,
  });
  launch.onStop(release);
  removeRuntime(dataDir);
  await choosePorts();
  const secrets = ensureSecrets(dataDir);
  settle({ APP_SECRET: secrets.appSecret, CRON_SECRET: secrets.cronSecret });
  const url = await bringDatabase(launch, dataDir, secrets);
  progress("The database has this release's schema");
  launch.signal.throwIfAborted();
  if (!dev && !isBuilt(root)) {
    progress("Building the dashboard; this takes a minute and happens when sources change");
    await build(root, { signal: launch.signal });
    progress("Built");
  }
  const { APP_SECRET = "", CRON_SECRET = "", APP_URL, MAIL_TRANSPORT } = env();
  const { MAIL_TRANSPORT_KEY = "", MAIL_TRANSPORT_WEBHOOK_SECRET = "" } = env();
  const [served, first] = await Promise.all([bringPrograms(launch, dev), welcome(database())]);
  writeRuntime(dataDir, {
    pid: process.pid,
    DATABASE_URL: url,
    APP_SECRET,
    CRON_SECRET,
    APP_URL,
    MAIL_TRANSPORT,
    MAIL_TRANSPORT_KEY,
    MAIL_TRANSPORT_WEBHOOK_SECRET,
  });
  launch.onStop(() => removeRuntime(dataDir));
  if (dev) {
    launch.onStop(restartOnChange(launch.programs.filter(({ program }) => program !== "web")));
  }
  process.stdout.write(greeting(first, served));
}

/**
 * The whole product under one process: Postgres unless DATABASE_URL is given, migrations, the build,
 * web, worker and smtp. Runs until it is told to stop; a fault while starting is one sentence and exit code 1.
 */
export async function start(options: { dev: boolean }): Promise<never> {
  process.title = "lettermill start";
  const { signal } = stopSignal(() => launch.force());
  const launch = new Launch(signal);
  let code = 0;
  try {
    await bringUp(launch, options.dev);
    if (!signal.aborted) await once(signal, "abort");
  } catch (error) {
    if (!signal.aborted) {
      report(error);
      code = 1;
    }
  }
  if (code === 0) progress("Stopping");
  await launch.stop();
  process.exit(code);
}
