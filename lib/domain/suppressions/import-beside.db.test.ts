import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { listDomains } from "@/lib/domain/sending-domains/domains";
import type { Context } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { makeProject } from "@/lib/testing";
import { until } from "@/lib/testing/until";
import { importSuppressions } from "./import";
import { addSuppression, listSuppressions } from "./suppressions";

const database = useTestDatabase();

const addresses = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `p${from + index}@example.com`);
const take = (ctx: Context, lines: readonly string[]) =>
  importSuppressions(ctx, Readable.from([Buffer.from(lines.join("\n"))]), { reason: "manual" });

test("files of one project that are taken over at once leave connections to others, and others a turn", async () => {
  const [busy, other] = [await makeProject(database.db), await makeProject(database.db)];
  const many = 3 * env().DATABASE_POOL;
  const asked = await database.db.transaction(async (tx) => {
    await tx.execute(sql`lock table suppressions in access exclusive mode`);
    const waiting = async () =>
      (
        await tx.execute<{ waiting: number }>(sql`
          select count(*)::int as waiting from pg_locks
          where relation = 'suppressions'::regclass and not granted`)
      )[0]?.waiting ?? 0;
    const ofBusy = Array.from({ length: many }, (_, index) =>
      take(busy.ctx, addresses(10, 10 * index)),
    );
    await until(async () => (await waiting()) === 2, { what: "its share waits" });
    for (const { ctx } of [busy, other]) {
      expect((await listDomains(ctx, { limit: 1 })).data).toHaveLength(1);
    }
    expect(await waiting()).toBe(2);
    const ofOther = [take(other.ctx, addresses(10))];
    await until(async () => (await waiting()) === 3, { what: "the other project's turn" });
    return [...ofBusy, ...ofOther];
  });
  for (const { added } of await Promise.all(asked)) expect(added).toBe(10);
}, 30_000);

test("who suppresses one of a file's addresses does not wait until the whole file is taken over", async () => {
  const { ctx } = await makeProject(database.db);
  let isDone = false;
  const whole = take(ctx, addresses(40_000)).finally(() => (isDone = true));
  await until(async () => (await listSuppressions(ctx, { limit: 1 })).data.length > 0, {
    what: "the first addresses are suppressed",
  });
  expect(await addSuppression(ctx, { email: "p39999@example.com" })).toMatchObject({
    created: true,
  });
  expect(isDone).toBe(false);
  expect(await whole).toEqual({ added: 39_999, known: 1, refused: 0, refusedRows: [] });
}, 60_000);

test("a neighbour's requests keep their time while one project takes large files over", async () => {
  const [busy, other] = [await makeProject(database.db), await makeProject(database.db)];
  const files = Array.from({ length: 12 }, (_, index) =>
    take(busy.ctx, addresses(8_000, 8_000 * index)),
  );
  const began = performance.now();
  let isDone = false;
  const all = Promise.all(files).finally(() => (isDone = true));
  const times: number[] = [];
  while (!isDone) {
    const from = performance.now();
    await addSuppression(other.ctx, { email: `p${times.length}@example.com` });
    times.push(performance.now() - from);
  }
  const whole = performance.now() - began;
  for (const { added } of await all) expect(added).toBe(8_000);
  // On a slow machine all of it is slow: whoever is kept out waits for most of the whole.
  expect(Math.max(...times)).toBeLessThan(whole / 4);
}, 120_000);
