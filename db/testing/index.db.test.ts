import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";

const database = useTestDatabase();

test("a test file gets a migrated database that nobody else writes to", async () => {
  expect(await database.db.select().from(users)).toEqual([]);
  const [row] = await database.db.execute<{ name: string }>(sql`select current_database() as name`);
  expect(new URL(database.url).pathname).toBe(`/${row?.name}`);
});

test("travel moves the database's clock on, for statements prepared before too", async () => {
  const seconds = () =>
    database.db.$client<{ ahead: number }[]>`
      select extract(epoch from app_now() - now())::int as ahead`;
  expect((await seconds())[0]?.ahead).toBe(0);
  await database.travel("2 days");
  await database.travel("1 hour");
  expect((await seconds())[0]?.ahead).toBe(2 * 86_400 + 3_600);
});
