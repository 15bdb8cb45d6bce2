import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The process that wrote the folder's postmaster.pid; null without one. */
export function postmasterPid(folder: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(folder, "postmaster.pid"), "utf8"), 10) || null;
  } catch {
    return null;
  }
}

/**
 * Processes of a server on this data folder. Each has it as its working directory, so Linux can tell without
 * postmaster.pid, which a killed server leaves behind and whose process number may be another's by now.
 */
function serverProcesses(folder: string): number[] {
  if (process.platform !== "linux") {
    const pid = postmasterPid(folder);
    return pid !== null && isAlive(pid) ? [pid] : [];
  }
  const inside = realpathSync(folder);
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readlinkSync(`/proc/${pid}/cwd`) === inside;
      } catch {
        return false;
      }
    });
}

function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Ends a server that a killed launcher left on the folder: fast shutdown first, by force after 20 s. */
export async function stopLeftOverServer(folder: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  const postmaster = postmasterPid(folder);
  let asked = false;
  for (;;) {
    const pids = serverProcesses(folder);
    if (pids.length === 0) break;
    if (Date.now() > deadline) signalAll(pids, "SIGKILL");
    else if (postmaster !== null && pids.includes(postmaster)) {
      if (!asked) signalAll([postmaster], "SIGINT");
      asked = true;
    } else {
      // Without a postmaster they only wait for their clients to leave: SIGQUIT, as it would have sent.
      signalAll(pids, "SIGQUIT");
    }
    await sleep(50);
  }
  rmSync(join(folder, "postmaster.pid"), { force: true });
}
