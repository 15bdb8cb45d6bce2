import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { Fault, fileFault } from "./fault";

const holder = z.object({
  pid: z.number().int().positive(),
  /** Tells a process from a later one with the same number. */
  startedAt: z.string(),
  /** `start` holds it until it is stopped, `command` for moments. */
  purpose: z.enum(["start", "command"]),
});
export type LockHolder = z.infer<typeof holder>;

/** When the process began, in ticks since the machine did; empty where the system does not say. */
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
    // A link appears whole and fails when the name is taken: no two can make it.
    linkSync(mine, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw fileFault(`${file} cannot be written`, error);
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Takes a dead holder's lock away. What is moved is looked at again: it may be a new holder's by now. */
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
    // A third one took the lock meanwhile.
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Takes the lock and gives what releases it. Waits for holders for as long as `waitSeconds(holder)`
 * says of them; then throws the sentence of `refusal`. A dead process's lock is taken over.
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
