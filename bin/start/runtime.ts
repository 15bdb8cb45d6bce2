import { rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readPrivate, writePrivate } from "./data-dir";
import { lockHolder, type LockHolder } from "./lock";

/** What other programs on this machine need to know of a running product. */
const runtime = z.object({
  /** Process number of the launcher. */
  pid: z.number().int(),
  DATABASE_URL: z.string(),
  APP_SECRET: z.string(),
  CRON_SECRET: z.string(),
  APP_URL: z.string(),
  MAIL_TRANSPORT: z.string(),
  MAIL_TRANSPORT_KEY: z.string().default(""),
  MAIL_TRANSPORT_WEBHOOK_SECRET: z.string().default(""),
});
export type Runtime = z.infer<typeof runtime>;

export const lockFile = (dataDir: string) => join(dataDir, "lock");
const runtimeFile = (dataDir: string) => join(dataDir, "runtime.json");

export function writeRuntime(dataDir: string, value: Runtime): void {
  writePrivate(runtimeFile(dataDir), value);
}

export function removeRuntime(dataDir: string): void {
  rmSync(runtimeFile(dataDir), { force: true });
}

/** The launcher that is running or starting on this DATA_DIR; null when there is none. */
export function runningLauncher(dataDir: string): LockHolder | null {
  const holder = lockHolder(lockFile(dataDir));
  return holder?.purpose === "start" ? holder : null;
}

/** The running product; null when there is none, or it is still starting. */
export function readRuntime(dataDir: string): Runtime | null {
  const launcher = runningLauncher(dataDir);
  const parsed = launcher ? runtime.safeParse(readPrivate(runtimeFile(dataDir))) : null;
  // A file left by a killed launcher names another process.
  return parsed?.success && parsed.data.pid === launcher?.pid ? parsed.data : null;
}
