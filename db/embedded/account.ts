import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";

/** The user and group that the server runs as. */
export interface Account {
  uid: number;
  gid: number;
}

function lookUp(name: string): Account | null {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null;
}

/**
 * Postgres refuses to run as root: there it gets an account of its own (`postgres`, made when the
 * machine has none, `nobody` where none can be made). Null: it runs as the current user.
 */
export function serverAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const present = lookUp("postgres");
  if (present) return present;
  spawnSync("useradd", ["-r", "-M", "-U", "-s", "/usr/sbin/nologin", "postgres"], {
    // A root shell from plain `su` has no sbin in its PATH.
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  });
  const account = lookUp("postgres") ?? lookUp("nobody");
  if (!account) {
    throw new Error(
      "Postgres does not run as root and no other user can be made here: start as an ordinary user, or set DATABASE_URL.",
    );
  }
  return account;
}

/** Whether the account may enter the folder. The kernel is asked: access lists and mounts count. */
export function canEnter(account: Account | null, folder: string): boolean {
  if (!account) return true;
  const shell = spawnSync("/bin/sh", ["-c", 'cd "$0"', folder], { ...account, cwd: "/" });
  return shell.status === 0;
}

/** Whether the account may run the program at this path. */
export function canRun(account: Account | null, program: string): boolean {
  if (!account) return true;
  const shell = spawnSync("/bin/sh", ["-c", 'test -x "$0" && cd "$1"', program, dirname(program)], {
    ...account,
    cwd: "/",
  });
  return shell.status === 0;
}
