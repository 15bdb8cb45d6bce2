import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Fault, fileFault } from "./fault";
import { root } from "./root";

/** DATA_DIR as an absolute path; a relative one is resolved from the checkout. */
export function dataDirectory(): string {
  return resolve(root, process.env.DATA_DIR || ".data");
}

/** Like mkdir -p. Node's own never returns where the kernel refuses with ENOENT, as below /proc. */
function makeFolder(folder: string, mode: number): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder), 0o755);
  mkdirSync(folder, { mode });
}

/** Creates DATA_DIR when missing. Throws a Fault when it cannot be written. */
export function openDataDirectory(): string {
  const folder = dataDirectory();
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    // Root's folder can be traversed, so that the account Postgres runs as can reach its data.
    makeFolder(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    writeFileSync(probe, "");
    rmSync(probe);
  } catch (error) {
    throw fileFault(`DATA_DIR ${folder} cannot be written`, error);
  }
  return folder;
}

/** Replaces a file that only its owner may read, completely or not at all. */
export function writePrivate(path: string, value: unknown): void {
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(partial, path);
}

/** The file's JSON; null when it does not exist. */
export function readPrivate(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw fileFault(`${path} cannot be read`, error);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Fault(`${path} is damaged: restore it from a backup, or remove it.`);
  }
}
