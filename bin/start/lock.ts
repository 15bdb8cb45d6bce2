import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { Fault, fileFault } from "./fault";

const holder = z.object({
  pid: z.number().int().positive(),
  /** Distinguishes a process from a later one with the same number. */
  startedAt: z.string(),
  /** `start` holds it until stopped, `command` for moments. */
  purpose: z.enum(["start", "command"]),
});
export type LockHolder = z.infer<typeof holder>;

/** When the process started, in ticks since boot; empty where the system does not say. */
function startOf(pid: number): string | null {
  if (process.platform !== "linux") {
    try {
      process.kill(pid, 0);
      return "";
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM" ? "" : null;
    }
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may hold spaces: the fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

/** Who holds the lock; null when nobody alive does. */
export function lockHolder(file: string): LockHolder | null {
  try {
    const parsed = holder.parse(JSON.parse(readFileSync(file, "utf8")));
    return startOf(parsed.pid) === parsed.startedAt ? parsed : null;
  } catch {
    return null;
  }
}

function tryLock(file: string, purpose: LockHolder["purpose"]): boolean {
  const mine = `${file}.${process.pid}`;
  const self: LockHolder = { pid: process.pid, startedAt: startOf(process.pid) ?? "", purpose };
  try {
    writeFileSync(mine, JSON.stringify(self), { mode: 0o600 });
    // A hard link appears atomically and fails when the name is taken: only one process can create it.
    linkSync(mine, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw fileFault(`${file} cannot be written`, error);
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Removes a dead holder's lock. What was moved is checked again: by now it may be a new holder's. */
function clearDeadLock(file: string): void {
  const aside = `${file}.dead.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  try {
    if (lockHolder(aside)) linkSync(aside, file);
  } catch {
    // A third process took the lock meanwhile.
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Takes the lock and returns the function that releases it. Waits for a holder as long as `waitSeconds(holder)`
 * says, then throws `refusal` as a Fault. A dead process's lock is taken over.
 */
export async function acquireLock(
  file: string,
  purpose: LockHolder["purpose"],
  options: { waitSeconds: (holder: LockHolder) => number; refusal: (holder: LockHolder) => string },
): Promise<() => void> {
  const began = Date.now();
  for (;;) {
    if (tryLock(file, purpose)) return () => rmSync(file, { force: true });
    const holder = lockHolder(file);
    if (!holder) clearDeadLock(file);
    else if (Date.now() - began > options.waitSeconds(holder) * 1000) {
      throw new Fault(options.refusal(holder));
    } else await sleep(50);
  }
}
