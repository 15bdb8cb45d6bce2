import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { canEnter, serverAccount } from "./account";
import { startCluster, type Cluster } from "./cluster";

let folder = "";
const started: Cluster[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lettermill-cluster-"));
});
afterEach(async () => {
  for (const cluster of started.splice(0)) await cluster.stop();
  rmSync(folder, { recursive: true });
});

async function start(within = folder): Promise<Cluster> {
  const cluster = await startCluster({
    folder: join(within, "postgres"),
    password: "a password with / and @",
    logFile: join(within, "postgres.log"),
    settings: { shared_buffers: "16MB" },
  });
  started.push(cluster);
  return cluster;
}

/** Runs one statement and gives its first row. */
async function ask(cluster: Cluster, statement: string): Promise<unknown> {
  const client = postgres(cluster.url, { max: 1, onnotice: () => {} });
  try {
    const [row] = await client.unsafe(statement);
    return row;
  } finally {
    await client.end();
  }
}

test("a folder that only its owner can enter serves as well, root's too", async () => {
  const closed = join(folder, "closed");
  mkdirSync(closed, { mode: 0o700 });
  const account = serverAccount();
  expect(canEnter(account, closed)).toBe(account === null);
  const cluster = await start(closed);
  expect(await ask(cluster, "select current_user as name")).toEqual({ name: "lettermill" });
  const { mode, uid } = statSync(join(closed, "postgres"));
  expect(mode & 0o777).toBe(0o700);
  expect(uid).toBe(account?.uid ?? process.getuid?.());
}, 60_000);

test("data outlives a stop, and a killed server gives way to the next start", async () => {
  const first = await start();
  await ask(first, "create table kept as select 1 as value");
  await first.stop();
  const second = await start();
  process.kill(second.pid, "SIGKILL");
  await second.ended;
  const third = await start();
  expect(await ask(third, "select value from kept")).toEqual({ value: 1 });
  // The launcher of the third is gone, its server still runs.
  const fourth = await start();
  await third.ended;
  expect(await ask(fourth, "select value from kept")).toEqual({ value: 1 });
}, 60_000);

test("a password is needed, other machines are not listened to, and commits are durable", async () => {
  const cluster = await start();
  const stranger = postgres(cluster.url.replace(/:[^:@]*@/, ":wrong@"), { max: 1 });
  await expect(stranger`select 1`).rejects.toMatchObject({ code: "28P01" });
  await stranger.end();
  expect(
    await ask(
      cluster,
      `select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
         current_setting('synchronous_commit') as synchronous, getdatabaseencoding() as encoding`,
    ),
  ).toEqual({ addresses: "127.0.0.1", fsync: "on", synchronous: "on", encoding: "UTF8" });
}, 60_000);

test("half-made data is made anew, and another release's data is left alone", async () => {
  mkdirSync(join(folder, "postgres.new"));
  writeFileSync(join(folder, "postgres.new", "rest"), "");
  await (await start()).stop();
  expect(existsSync(join(folder, "postgres.new"))).toBe(false);
  writeFileSync(join(folder, "postgres", "PG_VERSION"), "16\n");
  await expect(start()).rejects.toThrow("was made by Postgres 16 and this is 18");
}, 60_000);
