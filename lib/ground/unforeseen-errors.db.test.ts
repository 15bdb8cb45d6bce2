import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { limitStatements, tookTooLong } from "@/db/time-limit";
import { toAppError } from "./unforeseen-errors";

const database = useTestDatabase();

const failureOf = (run: Promise<unknown>) =>
  run.then(
    () => null,
    (error: unknown) => error,
  );

test("a statement that takes longer than its transaction allows is no fault of ours, and may be tried again", async () => {
  const error = await failureOf(
    database.db.transaction(async (tx) => {
      await limitStatements(tx, 1);
      await tx.execute(sql`select pg_sleep(30)`);
    }),
  );
  expect(tookTooLong(error)).toBe(true);
  expect(toAppError(error, "r")).toMatchObject({
    code: "UNAVAILABLE",
    message: "The database took too long to answer. Try again in 5 seconds.",
  });
});

test("a time to wait for locks is set beside it, and both end with the transaction", async () => {
  const limits = sql`select current_setting('statement_timeout') as statement,
    current_setting('lock_timeout') as lock`;
  const [before] = await database.db.execute(limits);
  const [within] = await database.db.transaction(async (tx) => {
    await limitStatements(tx, 300, 2);
    return tx.execute(limits);
  });
  expect(within).toEqual({ statement: "5min", lock: "2s" });
  expect(await database.db.execute(limits)).toEqual([before]);
});
