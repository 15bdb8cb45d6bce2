import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Database } from "@/db/client";
import { env } from "@/lib/ground/env/env";
import { readPrivate, writePrivate } from "@/bin/start/data-dir";
import { Fault, fileFault } from "@/bin/start/fault";
import { releaseOf } from "@/bin/watch/release";
import { copyRunningCluster } from "./base-backup";
import { dumpDatabase } from "./dump";

/** What a backup consists of: written last, so that a folder without it is not a backup. */
const manifestSchema = z.object({
  /** copy: the embedded server's data folder. dump: what pg_dump wrote. */
  kind: z.enum(["copy", "dump"]),
  release: z.string(),
  postgresMajor: z.number().int(),
  createdAt: z.string(),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const partsOf = (folder: string) => ({
  manifest: join(folder, "backup.json"),
  cluster: join(folder, "postgres"),
  dump: join(folder, "database.dump"),
  secrets: join(folder, "secrets.json"),
  files: join(folder, "files"),
});

/** The backup in a folder. Throws a Fault when there is none, or an unfinished one. */
export function readManifest(folder: string): Manifest {
  const parsed = manifestSchema.safeParse(readPrivate(partsOf(folder).manifest));
  if (!parsed.success) throw new Fault(`${folder} holds no complete backup.`);
  return parsed.data;
}

function openTarget(folder: string): void {
  try {
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      throw new Fault(`${folder} is not empty: a backup goes into a new folder.`);
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw error instanceof Fault ? error : fileFault(`${folder} cannot be written`, error);
  }
}

export async function serverMajorOf(db: Database): Promise<number> {
  const [row] = await db.$client<{ major: number }[]>`
    select current_setting('server_version_num')::int / 10000 as major`;
  return row?.major ?? 0;
}

/**
 * Backs the installation up while it runs, into a new folder: the database, the generated secrets and, where they
 * are kept on disk, uploaded files. The witness of what was sent stays behind, so that a restore is noticed.
 */
export async function backUp(
  db: Database,
  folder: string,
  { dataDir, embedded }: { dataDir: string; embedded: boolean },
): Promise<Manifest> {
  openTarget(folder);
  const parts = partsOf(folder);
  const postgresMajor = await serverMajorOf(db);
  if (embedded) await copyRunningCluster(db, join(dataDir, "postgres"), parts.cluster);
  else await dumpDatabase(env().DATABASE_URL ?? "", postgresMajor, parts.dump);
  // After the database, so that every file that a row names is there. One too many does no harm.
  if (env().FILES === "disk" && existsSync(join(dataDir, "files"))) {
    cpSync(join(dataDir, "files"), parts.files, { recursive: true });
  }
  const secrets = readPrivate(join(dataDir, "secrets.json"));
  if (secrets !== null) writePrivate(parts.secrets, secrets);
  const manifest: Manifest = {
    kind: embedded ? "copy" : "dump",
    release: releaseOf(),
    postgresMajor,
    createdAt: new Date().toISOString(),
  };
  writePrivate(parts.manifest, manifest);
  return manifest;
}
