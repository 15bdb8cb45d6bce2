import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { rowsRead } from "./rows-read";

const database = useTestDatabase();

test("only what the work itself reads is counted, however late others tell what they read", async () => {
  const [own, other] = [connect(database.url, { max: 1 }), connect(database.url, { max: 1 })];
  try {
    await own.execute(sql`create table numbers as select generate_series(1, 500) as number`);
    const readAll = (by: typeof own) => by.execute(sql`select sum(number) from numbers`);
    // Told at once, so that what follows within a second is kept back.
    await other.execute(sql`select pg_stat_force_next_flush()`);
    await readAll(other);
    const read = await rowsRead(own, ["numbers"], async () => {
      await other.execute(sql`select pg_stat_force_next_flush()`);
      await readAll(own);
    });
    expect(read).toBe(500);
  } finally {
    await Promise.all([own.$client.end({ timeout: 5 }), other.$client.end({ timeout: 5 })]);
  }
});
