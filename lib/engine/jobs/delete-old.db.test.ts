import { sql } from "drizzle-orm";
import { integer, pgTable } from "drizzle-orm/pg-core";
import { beforeAll, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { bounded, deleteOld, inBatches } from "./delete-old";

const database = useTestDatabase();
const slowRows = pgTable("slow_rows", { n: integer("n") });
const signal = () => AbortSignal.timeout(60_000);

beforeAll(async () => {
  await database.db.execute(
    sql.raw(`
    create table slow_rows (n int);
    create function dawdle() returns trigger language plpgsql as $$
      begin perform pg_sleep(0.005); return old; end $$;
    create trigger slow before delete on slow_rows for each row execute function dawdle();`),
  );
});

it("rows that take too long to delete together are deleted in smaller batches", async () => {
  await database.db.execute(sql`insert into slow_rows select generate_series(1, 400)`);
  expect(await deleteOld(database.db, signal(), slowRows, sql`true`, { seconds: 1 })).toBe(400);
  const [left] = await database.db.execute(sql`select count(*)::int as n from slow_rows`);
  expect(left).toEqual({ n: 0 });
});

it("what takes too long even so fails, and no statement of the clean-up has more than half a minute", async () => {
  const asked: number[] = [];
  const tooSlow = inBatches(
    database.db,
    signal(),
    async (tx, most) => {
      asked.push(most);
      await tx.execute(sql`select pg_sleep(20)`);
      return most;
    },
    { seconds: 1 },
  );
  await expect(tooSlow).rejects.toMatchObject({ cause: { code: "57014" } });
  expect(asked).toEqual([1_000, 500, 250, 125, 63, 32]);
  const [limits] = await bounded(database.db, (tx) =>
    tx.execute(sql`select current_setting('statement_timeout') as statement,
      current_setting('lock_timeout') as lock`),
  );
  expect(limits).toEqual({ statement: "30s", lock: "2s" });
});

it("a walk that takes more rows at a time ends with the step that finds fewer", async () => {
  const asked: number[] = [];
  const step = (_: unknown, most: number) => {
    asked.push(most);
    return Promise.resolve(asked.length < 3 ? most : 7);
  };
  expect(await inBatches(database.db, signal(), step, { most: 5_000 })).toBe(10_007);
  expect(asked).toEqual([5_000, 5_000, 5_000]);
});
