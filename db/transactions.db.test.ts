import { sql } from "drizzle-orm";
import type postgres from "postgres";
import { expect, test } from "vitest";
import { connect, type Transaction } from "./client";
import { sqlState } from "./errors";
import { useTestDatabase } from "./testing";
import { until } from "@/lib/testing/until";

const database = useTestDatabase();

const cut = (name: string) =>
  database.db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${name} and datname = current_database()`);

/** Cuts a connection, and waits until it is gone. */
async function cutOff(name: string): Promise<void> {
  await cut(name);
  await until(async () => {
    const rows = await database.db.execute(sql`
      select 1 as one from pg_stat_activity
      where application_name = ${name} and datname = current_database()`);
    return rows.length === 0;
  });
}

test("a connection that is cut in the middle of a transaction fails it, and not the process", async () => {
  const whileItWorks = (name: string) => async (tx: Transaction) => {
    await Promise.all([tx.execute(sql`select pg_sleep(30)`), cut(name)]);
  };
  const whileItRests = (name: string) => async (tx: Transaction) => {
    await tx.execute(sql`select 1`);
    await cutOff(name);
    await tx.execute(sql`select 1`);
  };
  const nested = (name: string) => (tx: Transaction) => tx.transaction(whileItRests(name));
  for (const [index, work] of [whileItWorks, whileItRests, nested].entries()) {
    const name = `cut-${index}`;
    const own = connect(database.url, { name, max: 1 });
    await expect(own.transaction(work(name))).rejects.toThrow();
    await own.$client.end({ timeout: 0 });
  }
});

test("it fails as well for statements that are written for the driver itself", async () => {
  const statements: ((tx: postgres.TransactionSql) => Promise<unknown>)[] = [
    async (tx) => tx`select ${1}::int as one`,
    async (tx) => tx.unsafe("copy (select 1) to stdout").readable(),
    async (tx) => tx.unsafe("create temporary table lost (n int)"),
  ];
  for (const [index, statement] of statements.entries()) {
    const name = `cut-driver-${index}`;
    const own = connect(database.url, { name, max: 1 });
    let went = "on";
    const work = own.$client.begin(async (tx) => {
      await tx`select ${1}::int as one`;
      await cutOff(name);
      await statement(tx).catch(() => {
        went = "no further";
      });
    });
    await expect(work).rejects.toThrow();
    await until(() => went === "no further");
    await own.$client.end({ timeout: 0 });
  }
});

test("what fails by itself is rolled back, to its savepoint alone where it has one", async () => {
  const { db } = database;
  await db.execute(sql`create table kept (n int primary key)`);
  await db.transaction(async (tx) => {
    await tx.execute(sql`insert into kept values (1)`);
    const repeated = tx.transaction((inner) => inner.execute(sql`insert into kept values (1)`));
    expect(await repeated.catch(sqlState)).toBe("23505");
    await tx.execute(sql`insert into kept values (2)`);
  });
  const whole = db.transaction(async (tx) => {
    await tx.execute(sql`insert into kept values (3)`);
    throw new Error("changed my mind");
  });
  await expect(whole).rejects.toThrow("changed my mind");
  expect([...(await db.execute(sql`select n from kept order by n`))]).toEqual([{ n: 1 }, { n: 2 }]);
});
