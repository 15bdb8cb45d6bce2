import { execFileSync } from "node:child_process";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepPostgres } from "@/bin/start/postgres";
import { password, type StandDatabase } from "./stand";

const megabytes = 400;

function mount(folder: string): void {
  const options = `size=${megabytes}m,mode=711`;
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "pipe" });
}

/** Why no disk can be mounted here; null: it can. */
export function whyNoDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), "lettermill-mount-"));
  try {
    mount(folder);
    execFileSync("umount", [folder]);
    return null;
  } catch {
    return "A small disk cannot be mounted here: that needs Linux, and root.";
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A Postgres as `npm start` keeps it, on a disk of its own. */
export async function startOnSmallDisk(dataFolder: string): Promise<StandDatabase> {
  mount(dataFolder);
  const kept = await keepPostgres(dataFolder, password);
  return {
    url: kept.url,
    get pid() {
      return kept.pid;
    },
    stop: async () => {
      await kept.stop();
      // What it said goes with the disk.
      await cp(join(dataFolder, "postgres.log"), join(dataFolder, "..", "postgres.log"));
      execFileSync("umount", ["--lazy", dataFolder]);
    },
  };
}

/** Takes what room there is on a disk, and what comes free, until the function that is returned makes room again. */
export function fillDisk(folder: string): () => void {
  const path = join(folder, "filler");
  const file = openSync(path, "a");
  const fill = () => {
    for (const bytes of [1 << 20, 1 << 12]) {
      const zeros = Buffer.alloc(bytes);
      try {
        for (;;) if (writeSync(file, zeros) < bytes) break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
    }
    fsyncSync(file);
  };
  fill();
  const timer = setInterval(fill, 50);
  return () => {
    clearInterval(timer);
    closeSync(file);
    rmSync(path);
  };
}
