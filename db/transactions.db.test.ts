import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect, type Transaction } from "./client";
import { sqlState } from "./errors";
import { useTestDatabase } from "./testing";
import { until } from "@/lib/testing/until";

const database = useTestDatabase();

test("a connection that is cut in the middle of a transaction fails it, and not the process", async () => {
  const cut = (name: string) =>
    database.db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${name} and datname = current_database()`);
  const whileItWorks = (name: string) => async (tx: Transaction) => {
    await Promise.all([tx.execute(sql`select pg_sleep(30)`), cut(name)]);
  };
  const whileItRests = (name: string) => async (tx: Transaction) => {
    await tx.execute(sql`select 1`);
    await cut(name);
    await until(async () => {
      const rows = await database.db.execute(sql`
        select 1 as one from pg_stat_activity
        where application_name = ${name} and datname = current_database()`);
      return rows.length === 0;
    });
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
