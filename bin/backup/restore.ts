import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { connect, type Database } from "@/db/client";
import { serverAccount } from "@/db/embedded/account";
import { migrateDatabase } from "@/db/migrate";
import { endHold, holdMail } from "@/lib/domain/sending-state/hold";
import { Fault } from "@/bin/start/fault";
import { startPostgres } from "@/bin/start/postgres";
import { ensureSecrets } from "@/bin/start/secrets";
import { partsOf, readManifest, serverMajorOf, type Manifest } from "./backup";
import { loadDump } from "./dump";

/**
 * The server refuses a folder that others can read; under root, another user must own its files.
 */
function giveToServer(folder: string): void {
  chmodSync(folder, 0o700);
  const account = serverAccount();
  if (!account) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    lchownSync(join(entry.parentPath, entry.name), account.uid, account.gid);
  }
  chownSync(folder, account.uid, account.gid);
}

/** What is kept beside the database. What exists stays: it is this installation's own. */
function restoreFiles(folder: string, dataDir: string): void {
  const parts = partsOf(folder);
  if (existsSync(parts.files)) {
    cpSync(parts.files, join(dataDir, "files"), { recursive: true, force: false });
  }
  // A machine that has seen the database before would otherwise compare with what it saw.
  rmSync(join(dataDir, "witness.json"), { force: true });
}

/** Restores a copy of the embedded server into a DATA_DIR that has no database. Throws a Fault. */
async function restoreCopy(folder: string, dataDir: string): Promise<void> {
  const parts = partsOf(folder);
  const target = join(dataDir, "postgres");
  if (existsSync(target)) {
    throw new Fault(`${target} is there already: move it away, or choose another DATA_DIR.`);
  }
  const secretsFile = join(dataDir, "secrets.json");
  if (existsSync(secretsFile)) {
    throw new Fault(
      `${secretsFile} is there already and belongs to another database: move it away.`,
    );
  }
  cpSync(parts.secrets, secretsFile);
  try {
    // Made elsewhere: a restore that breaks off leaves no half-finished database behind.
    cpSync(parts.cluster, `${target}.restoring`, { recursive: true, preserveTimestamps: true });
    giveToServer(`${target}.restoring`);
    renameSync(`${target}.restoring`, target);
  } finally {
    rmSync(`${target}.restoring`, { recursive: true, force: true });
  }
  const postgres = await startPostgres(dataDir, ensureSecrets(dataDir).postgresPassword);
  try {
    await migrateDatabase(postgres.url);
    await hold(postgres.url);
  } finally {
    await postgres.stop();
  }
}

/** Before anything else sees the database: mail waiting in it may have been sent since. */
async function hold(url: string): Promise<void> {
  const db = connect(url, { max: 1 });
  try {
    // A hold that was on when the backup was made may let some projects go on.
    await endHold(db);
    await holdMail(db, "restored");
  } finally {
    await db.$client.end({ timeout: 5 });
  }
}

async function isEmpty(db: Database): Promise<boolean> {
  const [row] = await db.$client<{ empty: boolean }[]>`
    select not exists (select from pg_class join pg_namespace n on n.oid = relnamespace
      where nspname not in ('pg_catalog', 'information_schema', 'pg_toast')) as empty`;
  return row?.empty ?? false;
}

async function restoreDump(folder: string, url: string): Promise<void> {
  const db = connect(url, { max: 1 });
  try {
    if (!(await isEmpty(db))) {
      throw new Fault("The database of DATABASE_URL is not empty: restore into a new one.");
    }
    await loadDump(url, await serverMajorOf(db), partsOf(folder).dump);
  } finally {
    await db.$client.end({ timeout: 5 });
  }
  await migrateDatabase(url);
  await hold(url);
}

/**
 * Restores a backup into a DATA_DIR without a database, or into the empty database of `url`, brings it to this
 * release's schema and holds all mail until an operator lets it go on. Throws a Fault.
 */
export async function restore(
  folder: string,
  { dataDir, url }: { dataDir: string; url: string | undefined },
): Promise<Manifest> {
  const manifest = readManifest(folder);
  if (statSync(folder).uid !== process.getuid?.()) {
    throw new Fault(`${folder} belongs to another user: restore as the one who made it.`);
  }
  if (manifest.kind === "copy") {
    if (url !== undefined) {
      throw new Fault(
        "This is a copy of the embedded Postgres and DATABASE_URL names another: unset it to restore here.",
      );
    }
    await restoreCopy(folder, dataDir);
  } else {
    if (url === undefined) {
      throw new Fault("This is a dump: set DATABASE_URL to the empty database it is for.");
    }
    await restoreDump(folder, url);
  }
  restoreFiles(folder, dataDir);
  return manifest;
}
