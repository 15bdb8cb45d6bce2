import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { emailStatuses } from "@/db/enums";
import { useTestDatabase } from "@/db/testing";
import { send } from "@/lib/testing/delivery";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { listEmails } from "./read";

const database = useTestDatabase();

test("the log filtered by any status shows the emails that have it now", async () => {
  const { ctx } = await makeProject(database.db);
  const ids = await send(ctx, {
    from: "shop@sandbox.test",
    to: emailStatuses.map((status) => `${status.toLowerCase()}@example.org`),
  });
  // Through another status each, as reports come in one after the other.
  for (const shift of [1, 0]) {
    for (const [index, id] of ids.entries()) {
      const status = emailStatuses[(index + shift) % emailStatuses.length];
      await database.db.execute(sql`update emails set status = ${status} where id = ${id}`);
    }
  }
  for (const [index, status] of emailStatuses.entries()) {
    const { data } = await listEmails(ctx, { limit: 20, status });
    expect(data.map(({ id, status: shown }) => [id, shown])).toEqual([
      [encodeId("email", ids[index] ?? ""), status],
    ]);
  }
});

test("the log holds one message's large variables in memory at a time, once for all its recipients", async () => {
  const { ctx } = await makeProject(database.db);
  // A megabyte of empty objects takes twenty.
  const data = { list: Array.from({ length: 300_000 }, () => ({})), name: "Ada" };
  const to = Array.from({ length: 40 }, (_, n) => `n${n}@example.org`);
  await send(ctx, { from: "shop@sandbox.test", subject: "Hello {{ name }}", data, to });
  await send(ctx, { from: "shop@sandbox.test", subject: "Hi", data: { ...data, name: "Eve" } });
  let most = 0;
  const before = process.memoryUsage().heapUsed;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().heapUsed - before);
  }, 5);
  const { data: log } = await listEmails(ctx, { limit: 100 });
  clearInterval(watch);
  expect(log.map(({ subject }) => subject)).toEqual(["Hi", ...to.map(() => "Hello Ada")]);
  expect(most).toBeLessThan(300_000_000);
});
