import { spawn, type ChildProcess } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lean } from "@/bin/start/children";
import { root } from "@/bin/start/root";
import { connect, type Database } from "@/db/client";
import { startCluster } from "@/db/embedded/cluster";
import { migrateDatabase } from "@/db/migrate";
import { reloadEnv } from "@/lib/ground/env/env";
import type { LoadOrder, LoadResult } from "./load";

/** A Postgres of its own, as `npm start` would run it (durable), for one benchmark. */
export interface Stand {
  db: Database;
  databaseUrl: string;
  /** Starts a program of the checkout; `env` overrides this process's. Ends with the stand. */
  run(script: string, args?: string[], env?: Record<string, string>): ChildProcess;
  stop(): Promise<void>;
}

/** Resolves when the program has sent a message over its channel; throws if it ends before that. */
export function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("message", () => resolve());
    child.once("exit", (code) => reject(new Error(`A program ended with ${code} at its start.`)));
  });
}

export async function startStand(settings: Record<string, string> = {}): Promise<Stand> {
  const folder = await mkdtemp(join(tmpdir(), "lettermill-bench-"));
  await chmod(folder, 0o711);
  const cluster = await startCluster({
    folder: join(folder, "postgres"),
    password: "lettermill",
    logFile: join(folder, "postgres.log"),
  });
  await migrateDatabase(cluster.url);
  Object.assign(process.env, {
    DATABASE_URL: cluster.url,
    DATA_DIR: folder,
    APP_SECRET: "a secret that only benchmarks use",
    CRON_SECRET: "a cron secret that only benchmarks use",
    MAIL_TRANSPORT: "capture",
    LOG_LEVEL: "warn",
    ...settings,
  });
  reloadEnv();
  const db = connect(cluster.url, { max: 4 });
  const children: ChildProcess[] = [];
  return {
    db,
    databaseUrl: cluster.url,
    run(script, args = [], env = {}) {
      const flags = /^bin\/(worker|smtp)\.ts$/.test(script) ? [lean] : [];
      const program = [...flags, "--import", "tsx", join(root, script), ...args];
      const child = spawn(process.execPath, program, {
        cwd: root,
        env: { ...process.env, ...env },
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      });
      children.push(child);
      return child;
    },
    async stop() {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return;
          const exited = new Promise((resolve) => child.once("exit", resolve));
          child.kill("SIGTERM");
          await exited;
        }),
      );
      await db.$client.end({ timeout: 5 });
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Puts load on a server from a process of its own. Throws if a request was refused. */
export async function load(stand: Stand, order: LoadOrder): Promise<LoadResult> {
  const child = stand.run("bench/load.ts");
  await untilReady(child);
  const result = new Promise<LoadResult>((resolve, reject) => {
    child.once("message", (answer: { result: LoadResult }) => resolve(answer.result));
    child.once("exit", () => reject(new Error("The load ended before it was done.")));
  });
  child.send(order);
  const done = await result;
  child.kill();
  const refusals = Object.entries(done.refused).filter(([, count]) => count > 0);
  if (refusals.length > 0)
    throw new Error(`Requests were refused: ${JSON.stringify(done.refused)}`);
  return done;
}
