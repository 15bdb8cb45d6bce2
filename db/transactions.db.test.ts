import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { until } from "@/lib/delivery/testing";
import { connect, type Transaction } from "./client";
import { sqlState } from "./errors";
import { useTestDatabase } from "./testing";

const database = useTestDatabase();

test("a connection that is cut in the middle of a transaction fails it, and the pool goes on", async () => {
  const own = connect(database.url, { name: "cut", max: 1 });
  const cut = () =>
    database.db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'cut' and datname = current_database()`);
  const whileItWorks = async (tx: Transaction) => {
    await Promise.all([tx.execute(sql`select pg_sleep(30)`), cut()]);
  };
  const whileItRests = async (tx: Transaction) => {
    await tx.execute(sql`select 1`);
    await cut();
    await until(async () => {
      const rows = await database.db.execute(sql`
        select 1 as one from pg_stat_activity
        where application_name = 'cut' and datname = current_database()`);
      return rows.length === 0;
    });
    await tx.execute(sql`select 1`);
  };
  const nested = (work: (tx: Transaction) => Promise<void>) => (tx: Transaction) =>
    tx.transaction(work);
  const works = [whileItWorks, whileItRests, nested(whileItRests)];
  for (const work of works) {
    const failed = own.transaction(work);
    await expect(failed).rejects.toThrow();
    await until(async () => {
      const [row] = await own.execute(sql`select 7 as n`).catch(() => []);
      return row?.["n"] === 7;
    });
  }
  await own.$client.end({ timeout: 1 });
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
