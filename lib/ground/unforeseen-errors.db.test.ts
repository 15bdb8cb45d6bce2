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

test.each(["0000-01-01", "0000-12-31T22:00:00.000Z", "+010000-01-01T00:00:00.000Z"])(
  "a time that a request may name and Postgres does not have (%s) is no fault of ours",
  async (time) => {
    const error = await failureOf(database.db.execute(sql`select ${time}::timestamptz`));
    expect(toAppError(error, "r")).toMatchObject({
      code: "VALIDATION_ERROR",
      message: "The request contains a date or time that cannot be stored.",
    });
  },
);

test("what is deleted while something is written about it is no fault of ours, and may be tried again", async () => {
  const error = await failureOf(
    database.db.execute(sql`
      insert into topics (id, project_id, name) values (gen_random_uuid(), gen_random_uuid(), 'Of nobody')`),
  );
  expect(toAppError(error, "r")).toMatchObject({
    code: "UNAVAILABLE",
    message:
      "Something that this refers to was deleted at the same moment, and nothing was changed. Try again in 5 seconds.",
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
