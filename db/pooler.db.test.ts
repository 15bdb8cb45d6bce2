import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import { afterEach, describe, expect, test } from "vitest";
import { connect, executePrepared, openClient, type Database } from "./client";
import { listen } from "./listen";
import { migrateDatabase } from "./migrate";
import { isPooled } from "./pooler";
import * as schema from "./schema";
import { useTestDatabase } from "./testing";
import { pgbouncer, startPooler } from "./testing/pooler";
import { startScriptedServer } from "./testing/scripted-server";
import { reloadEnv } from "@/lib/ground/env/env";
import { until } from "@/lib/testing/until";

const database = useTestDatabase();
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
  delete process.env["DATABASE_DIRECT_URL"];
  delete process.env["DATABASE_POOLER"];
  reloadEnv();
});

function open(url: string, max = 1): Database {
  const db = connect(url, { max });
  stops.push(() => db.$client.end({ timeout: 0 }));
  return db;
}

const lost = "The server answered COMMIT with ROLLBACK";

describe("a COMMIT that the server answered with ROLLBACK", () => {
  test("fails the transaction when the prepared COMMIT was lost, and nothing else does", async () => {
    const db = open(database.url);
    await executePrepared(db, sql`create table deposits (n int)`);
    const deposit = (n: number) =>
      db.transaction((tx) => tx.execute(sql`insert into deposits values (${n})`));
    await deposit(1);
    // As on another connection of a pooler, which knows none of the statements.
    const forgetful = db.transaction(async (tx) => {
      await tx.execute(sql`insert into deposits values (2)`);
      await tx.execute(sql`deallocate all`);
    });
    await expect(forgetful).rejects.toThrow(lost);
    await deposit(3);
    const rows = await db.execute(sql`select n from deposits order by n`);
    expect(rows.map(({ n }) => n)).toEqual([1, 3]);
  });

  test.each<[string, (db: Database) => Promise<unknown>]>([
    ["drizzle's transaction", (db) => db.transaction((tx) => tx.execute(sql`select 1`))],
    [
      "one within it",
      (db) => db.transaction((tx) => tx.transaction((deep) => deep.execute(sql`select 1`))),
    ],
    ["the driver's own", (db) => db.$client.begin((tx) => tx`select 1`)],
    [
      "drizzle's over a bare client",
      (db) => drizzle(db.$client, { schema }).transaction((tx) => tx.execute(sql`select 1`)),
    ],
  ])("is an error in %s", async (_path, work) => {
    const server = await startScriptedServer({ commit: "ROLLBACK" });
    stops.push(() => server.stop());
    await expect(work(open(server.url))).rejects.toThrow(lost);
  });

  test("is an error while migrating", async () => {
    const server = await startScriptedServer({ commit: "ROLLBACK" });
    stops.push(() => server.stop());
    await expect(migrateDatabase(server.url)).rejects.toThrow(lost);
  });
});

describe("behind a pooler", () => {
  test("is who is greeted by one process and answered by another; then nothing is prepared", async () => {
    const server = await startScriptedServer({ answeringPid: 4711 });
    stops.push(() => server.stop());
    const db = open(server.url);
    for (let n = 0; n < 3; n++) await executePrepared(db, sql`select ${n}::int`);
    await db.transaction((tx) => executePrepared(tx, sql`select ${"x"}`));
    expect(await isPooled(db.$client)).toBe(true);
    expect(server.statementNames.length).toBeGreaterThan(4);
    expect(new Set(server.statementNames)).toEqual(new Set([""]));
  });

  test("is nobody whose process answers itself, and hot statements stay prepared", async () => {
    const server = await startScriptedServer({});
    stops.push(() => server.stop());
    const db = open(server.url);
    for (let n = 0; n < 3; n++) await executePrepared(db, sql`select ${n}::int`);
    expect(server.statementNames.filter(Boolean)).toHaveLength(1);
    expect(await isPooled(open(database.url).$client)).toBe(false);
  });

  test.each([
    ["1", true],
    ["0", false],
  ])("DATABASE_POOLER=%s says so without a question", async (value, pooled) => {
    process.env["DATABASE_POOLER"] = value;
    reloadEnv();
    const client = openClient("postgres://nobody@127.0.0.1:1/nowhere", { max: 1 });
    expect(await isPooled(client)).toBe(pooled);
  });

  test("nothing is listened to but over DATABASE_DIRECT_URL", async () => {
    const server = await startScriptedServer({ answeringPid: 4711 });
    stops.push(() => server.stop());
    const db = open(server.url);
    let calls = 0;
    const channels = { things_due: () => calls++ };
    expect(await listen(db, channels)).toBeNull();
    process.env["DATABASE_DIRECT_URL"] = database.url;
    reloadEnv();
    const stop = await listen(db, channels);
    if (stop) stops.push(stop);
    expect(calls).toBe(1);
    await database.db.execute(sql`select pg_notify('things_due', '')`);
    await until(() => calls === 2);
  });
});

// apt-get install pgbouncer (or its like) where these are to run.
describe.skipIf(!pgbouncer)("PgBouncer in transaction mode", () => {
  test(
    "loses nothing that was acknowledged, of 400 transactions over 3 connections",
    { timeout: 60_000 },
    async () => {
      const pooler = await startPooler(database.url, { size: 3 });
      stops.push(() => pooler.stop());
      await database.db.execute(sql`create table writes (n int)`);
      const processes = [open(pooler.url, 6), open(pooler.url, 6)];
      const write = async (db: Database, n: number) => {
        await db.transaction(async (tx) => {
          await executePrepared(tx, sql`insert into writes select ${n}::int`);
          await executePrepared(tx, sql`select ${String(n)}`);
        });
        return n;
      };
      const acknowledged = await Promise.all(
        Array.from({ length: 400 }, (_, n) => write(processes[n % 2] as Database, n)),
      );
      const rows = await database.db.execute<{ n: number }>(sql`select n from writes order by n`);
      expect(rows.map(({ n }) => n)).toEqual(acknowledged);
      expect(await Promise.all(processes.map((db) => isPooled(db.$client)))).toEqual([true, true]);
    },
  );

  test("lets programs that start at once migrate one after the other", async () => {
    const pooler = await startPooler(database.url, { size: 6 });
    stops.push(() => pooler.stop());
    await Promise.all([1, 2, 3].map(() => migrateDatabase(pooler.url)));
  });
});
