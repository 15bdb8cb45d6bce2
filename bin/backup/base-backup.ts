import { constants } from "node:fs";
import { copyFile, mkdir, open, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "@/db/client";

/** Recreated by each server, or the running one's: never in a backup (Postgres manual, 25.3.4). */
const leftOut = new Set(["postmaster.pid", "postmaster.opts", "backup_label", "tablespace_map"]);
const emptied = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);
const privateFolder = 0o700;

/** Copies a file and waits until it is on disk; false if it has gone meanwhile. */
async function copyDurably(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
  } catch (error) {
    // The server drops files as it works; its log says what became of them.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  const file = await open(to, "r");
  await file.sync();
  await file.close();
  return true;
}

/** Copies a folder with everything in it; `depth` 0 is the data folder itself. */
async function copyFolder(from: string, to: string, depth = 0): Promise<void> {
  await mkdir(to, { mode: privateFolder });
  for (const entry of await readdir(from, { withFileTypes: true }).catch(() => [])) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (depth === 0 && leftOut.has(entry.name)) continue;
    if (entry.name.startsWith("pgsql_tmp") || entry.name.startsWith("pg_internal.init")) continue;
    if (entry.isDirectory()) {
      if (depth === 0 && emptied.has(entry.name)) await mkdir(target, { mode: privateFolder });
      else await copyFolder(source, target, depth + 1);
    } else if (entry.isFile()) await copyDurably(source, target);
  }
}

/** Copies the log from a segment on. */
async function copyLog(from: string, to: string, firstSegment: string): Promise<void> {
  await mkdir(join(to, "archive_status"), { mode: privateFolder });
  for (const name of (await readdir(from)).sort()) {
    const history = name.endsWith(".history");
    // Names within one timeline sort in the order of writing.
    if (!history && (!/^[0-9A-F]{24}$/.test(name) || name < firstSegment)) continue;
    await copyDurably(join(from, name), join(to, name));
  }
}

/**
 * Copies the data folder of a running server on this machine, together with as much of its log as makes it
 * complete: everything committed before is in it, and a server started on the copy recovers by itself. Writers
 * go on meanwhile. `db` needs the rights of a superuser.
 */
export async function copyRunningCluster(
  db: Database,
  folder: string,
  target: string,
): Promise<void> {
  // The backup, and what keeps the log from being recycled, both last as long as their session.
  const session = await db.$client.reserve();
  try {
    await session`select pg_create_physical_replication_slot(
      ${`lettermill_backup_${process.pid}`}, true, true)`;
    const [start] = await session<{ segment: string }[]>`
      select pg_walfile_name(pg_backup_start('lettermill backup', true)) as segment`;
    if (!start) throw new Error("The server began no backup.");
    await copyFolder(folder, target);
    const [stop] = await session<{ labelfile: string }[]>`
      select labelfile from pg_backup_stop(false)`;
    if (!stop) throw new Error("The server ended no backup.");
    await copyLog(join(folder, "pg_wal"), join(target, "pg_wal"), start.segment);
    // Without it the copy would recover from the wrong place, and be damaged: it is written last.
    await writeFile(join(target, "backup_label"), stop.labelfile, { mode: 0o600, flush: true });
  } finally {
    // Drops the slot, and ends a backup that broke off.
    await session`select pg_drop_replication_slot(slot_name) from pg_replication_slots
      where slot_name = ${`lettermill_backup_${process.pid}`}`.catch(() => {});
    session.release();
  }
}
