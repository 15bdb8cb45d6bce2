import { spawn, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { addressOf, Fault } from "@/bin/start/fault";

/** Where distributions install the clients of several releases beside each other. */
const places = ["/usr/lib/postgresql", "/usr/pgsql", "/opt/homebrew/opt", "/usr/local/opt"];

/** The tool in every place where it may be, those on PATH first. */
function candidates(tool: string): string[] {
  const besides = places.flatMap((place) => {
    try {
      return readdirSync(place).map((release) => join(place, release, "bin", tool));
    } catch {
      return [];
    }
  });
  return [tool, ...besides];
}

function majorOf(program: string): number | null {
  const { stdout, status } = spawnSync(program, ["--version"], { encoding: "utf8" });
  const major = status === 0 ? /\) (\d+)/.exec(stdout)?.[1] : undefined;
  return major === undefined ? null : Number(major);
}

/**
 * The Postgres tool for a server: from the server's own release, or the nearest later one. An older one
 * refuses, or would leave out what it does not know. Throws a Fault that says what to install.
 */
function toolFor(tool: "pg_dump" | "pg_restore", serverMajor: number): string {
  const usable = candidates(tool)
    .map((program) => ({ program, major: majorOf(program) ?? 0 }))
    .filter(({ major }) => major >= serverMajor)
    .sort((left, right) => left.major - right.major);
  const [best] = usable;
  if (!best) {
    throw new Fault(
      `${tool} of Postgres ${serverMajor} or later is not installed: install postgresql-client-${serverMajor}, or have your database service make the backup.`,
    );
  }
  return best.program;
}

async function runTool(program: string, url: string, args: string[]): Promise<void> {
  const { username, password, hostname, port, pathname, searchParams } = new URL(url);
  // The password goes into the environment: everybody on the machine can see arguments.
  const env = {
    ...process.env,
    PGHOST: searchParams.get("host") ?? decodeURIComponent(hostname),
    PGPORT: port || "5432",
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    ...(searchParams.has("sslmode") ? { PGSSLMODE: searchParams.get("sslmode") ?? "" } : {}),
  };
  const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) {
    throw new Fault(`${program} failed on ${addressOf(url)}: ${said.trim().split("\n").at(-1)}`);
  }
}

/** Writes the database to `file` in the custom format, from one snapshot. Throws a Fault. */
export async function dumpDatabase(url: string, serverMajor: number, file: string): Promise<void> {
  const program = toolFor("pg_dump", serverMajor);
  await runTool(program, url, ["--format=custom", "--no-owner", "--no-acl", `--file=${file}`]);
}

/** Reads a dump into an empty database: in one transaction, completely or not at all. Throws a Fault. */
export async function loadDump(url: string, serverMajor: number, file: string): Promise<void> {
  const program = toolFor("pg_restore", serverMajor);
  const { pathname } = new URL(url);
  await runTool(program, url, [
    "--no-owner",
    "--no-acl",
    "--single-transaction",
    `--dbname=${decodeURIComponent(pathname.slice(1))}`,
    file,
  ]);
}
