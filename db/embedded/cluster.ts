import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { freePort } from "./free-port";
import { canEnter, serverAccount, type Account } from "./account";
import { postgresFolder } from "./binaries";
import { postmasterPid, stopLeftOverServer } from "./processes";

const user = "lettermill";
const databaseName = "lettermill";
/** The data format belongs to a major release. */
const majorVersion = "18";
const logLimitBytes = 10_000_000;

/** For a laptop that has other work to do. Durability is never traded away here. */
const defaultSettings: Record<string, string> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "256MB",
  work_mem: "16MB",
  maintenance_work_mem: "128MB",
  max_wal_size: "2GB",
  checkpoint_timeout: "15min",
  random_page_cost: "1.1",
  // Compiling a plan takes longer than most of our statements.
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
};

export interface ClusterOptions {
  /** The data folder; created when missing. */
  folder: string;
  password: string;
  /** A free one if left out. */
  port?: number;
  /** Server settings that override the defaults. */
  settings?: Record<string, string>;
  /** Where the server's messages go. */
  logFile: string;
}

export interface Cluster {
  /** URL of the database `lettermill`. */
  url: string;
  port: number;
  pid: number;
  /** Settles when the server has ended, asked or not. */
  ended: Promise<void>;
  /** Fast shutdown: clients are cut off, and everything committed is on disk. */
  stop(): Promise<void>;
}

/** Once the folder exists, root runs the server as its owner: an ordinary user may have made it. */
function accountFor(folder: string): Account | null {
  const account = serverAccount();
  if (!account || !existsSync(folder)) return account;
  const { uid, gid } = statSync(folder);
  return uid === 0 ? account : { uid, gid };
}

/** How the programs find the folder: by their working directory if its path is out of reach. */
function launch(
  account: Account | null,
  program: string,
  folder: string,
  args: string[],
  stdio: StdioOptions,
): ChildProcess {
  // The working directory is entered before root is given up, and stays reachable afterwards.
  const path = canEnter(account, folder) ? folder : "/proc/self/cwd";
  return spawn(program, ["-D", path, ...args], {
    ...account,
    cwd: folder,
    stdio,
    detached: true,
    env: { NODE_ENV: "production", PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
  });
}

function openLog(path: string): number {
  if (existsSync(path) && statSync(path).size > logLimitBytes) rmSync(path);
  return openSync(path, "a", 0o600);
}

function lastLines(path: string): string {
  return readFileSync(path, "utf8").trim().split("\n").slice(-3).join(" ");
}

async function initialise(options: ClusterOptions, account: Account | null): Promise<void> {
  // Made elsewhere and renamed when complete, so that a kill midway leaves nothing half made.
  const fresh = `${options.folder}.new`;
  const passwordFile = `${options.folder}.password`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 });
  if (account) for (const path of [fresh, passwordFile]) chownSync(path, account.uid, account.gid);
  const password = openSync(passwordFile, "r");
  const log = openLog(options.logFile);
  try {
    const initdb = launch(
      account,
      join(postgresFolder(account), "bin", "initdb"),
      fresh,
      [
        `--username=${user}`,
        // Standard input: the one file that can be read whatever folders are above it.
        "--pwfile=/dev/stdin",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C",
      ],
      [password, log, log],
    );
    const code = await new Promise<number | null>((resolve, reject) => {
      initdb.once("error", reject);
      initdb.once("exit", resolve);
    });
    if (code !== 0) {
      throw new Error(`Postgres could not make ${options.folder}: ${lastLines(options.logFile)}`);
    }
    renameSync(fresh, options.folder);
  } finally {
    closeSync(password);
    closeSync(log);
    rmSync(passwordFile, { force: true });
  }
}

async function untilReady(child: ChildProcess, folder: string, logFile: string): Promise<void> {
  const deadline = Date.now() + 300_000;
  while (child.exitCode === null && child.signalCode === null) {
    if (Date.now() > deadline) throw new Error(`Postgres is not ready after 5 minutes: ${logFile}`);
    // The eighth line of postmaster.pid says so once connections are accepted.
    if (postmasterPid(folder) === child.pid) {
      const state = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n")[7];
      if (state?.trim() === "ready") return;
    }
    await sleep(20);
  }
  throw new Error(`Postgres did not start: ${lastLines(logFile)}`);
}

async function createDatabase(url: string): Promise<void> {
  const client = postgres(url.replace(/\/[^/]*$/, "/postgres"), { max: 1, onnotice: () => {} });
  try {
    const present = await client`select 1 from pg_database where datname = ${databaseName}`;
    if (present.length === 0) await client.unsafe(`create database ${databaseName}`);
  } finally {
    await client.end({ timeout: 5 });
  }
}

/**
 * Starts a Postgres of our own on a loopback port; creates its data folder on first use and ends what
 * a killed run left running on it. Throws one sentence that names the folder or quotes the server.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, logFile } = options;
  mkdirSync(dirname(folder), { recursive: true });
  const account = accountFor(folder);
  if (existsSync(join(folder, "PG_VERSION"))) {
    const version = readFileSync(join(folder, "PG_VERSION"), "utf8").trim();
    if (version !== majorVersion) {
      throw new Error(
        `${folder} was made by Postgres ${version} and this is ${majorVersion}: dump and load it, or choose another DATA_DIR.`,
      );
    }
    await stopLeftOverServer(folder);
  } else {
    await initialise(options, account);
  }
  const port = options.port ?? (await freePort());
  const settings = Object.entries({ ...defaultSettings, ...options.settings });
  const log = openLog(logFile);
  const child = launch(
    account,
    join(postgresFolder(account), "bin", "postgres"),
    folder,
    ["-p", String(port), ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    ["ignore", log, log],
  );
  closeSync(log);
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  await untilReady(child, folder, logFile);
  const url = `postgres://${user}:${encodeURIComponent(options.password)}@127.0.0.1:${port}/${databaseName}`;
  await createDatabase(url);
  return {
    url,
    port,
    pid: child.pid ?? 0,
    ended,
    stop: async () => {
      child.kill("SIGINT");
      // A shutdown checkpoint on a slow disk takes its time; cutting it off costs only a recovery.
      const timer = setTimeout(() => child.kill("SIGQUIT"), 60_000);
      await ended;
      clearTimeout(timer);
    },
  };
}
