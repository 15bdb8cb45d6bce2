import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { exportProgress } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { findOrCreateUser } from "@/lib/domain/users/users";
import type { Context } from "@/lib/ground/context";
import { csvStream } from "@/lib/ground/csv-stream";
import { AppError } from "@/lib/ground/errors";
import { makeProject } from "@/lib/testing";
import { until } from "@/lib/testing/until";
import { cancelExport, followExport, getExport } from "./exports";

const database = useTestDatabase();
let made = 0;
const newId = () => `an-export-of-tests-${++made}`;

async function somebody(): Promise<Context> {
  const { ctx, userId } = await makeProject(database.db);
  return { ...ctx, actor: { type: "user", id: userId } };
}

/** A table of so many rows; `stretch`: what is waited for before each two thousand of them. */
const table = (count: number, stretch: () => Promise<void> = () => Promise.resolve()) =>
  csvStream<number>({
    header: ["n"],
    read: async (last, limit) => {
      await stretch();
      const next = (last ?? 0) + 1;
      return Array.from({ length: Math.min(limit, count - next + 1) }, (_, n) => next + n);
    },
    cells: (n) => [String(n)],
  });

test("a file that was read to its end is told to be whole, with its rows and bytes", async () => {
  const ctx = await somebody();
  const id = newId();
  const file = await followExport(ctx, id, () => Promise.resolve(table(4_500)));
  expect(await getExport(ctx, id)).toMatchObject({ state: "RUNNING", bytes: 0 });
  const text = await new Response(file).text();
  expect(text.trim().split("\r\n")).toHaveLength(4_501);
  expect(await getExport(ctx, id)).toEqual({
    ...{ state: "DONE", rows: 4_500, bytes: text.length, failureReason: null },
  });
  // One that has ended stays as it is.
  expect(await cancelExport(ctx, id)).toMatchObject({ state: "DONE" });
});

test("what is no table has bytes alone, and who follows nothing leaves no trace", async () => {
  const ctx = await somebody();
  const id = newId();
  const file = () => Promise.resolve(new Blob(["zip"]).stream());
  expect(await new Response(await followExport(ctx, id, file)).text()).toBe("zip");
  expect(await getExport(ctx, id)).toMatchObject({ state: "DONE", rows: null, bytes: 3 });
  const program: Context = { ...ctx, actor: { type: "system", id: null } };
  for (const [who, what] of [[ctx, undefined] as const, [program, newId()] as const]) {
    expect(await new Response(await followExport(who, what, file)).text()).toBe("zip");
  }
  const own = ctx.actor.type === "user" ? ctx.actor.id : "";
  expect(await database.db.$count(exportProgress, eq(exportProgress.userId, own))).toBe(1);
  await expect(getExport(program, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("an export is cut off wherever it is given from, and its reader is told that it is not whole", async () => {
  const ctx = await somebody();
  const id = newId();
  const forever = () => new Promise<void>((resolve) => setTimeout(resolve, 20));
  const file = await followExport(ctx, id, () => Promise.resolve(table(100_000_000, forever)));
  const reading = new Response(file).text();
  const failed = expect(reading).rejects.toThrow("cancelled");
  await until(async () => ((await getExport(ctx, id)).rows ?? 0) > 0);
  expect(await cancelExport(ctx, id)).toMatchObject({ state: "CANCELLED" });
  await failed;
  expect(await getExport(ctx, id)).toMatchObject({ state: "CANCELLED" });
});

test("a reader that stops ends it, and an address that is asked again begins anew", async () => {
  const ctx = await somebody();
  const id = newId();
  const begin = () => followExport(ctx, id, () => Promise.resolve(table(50_000)));
  const reader = (await begin()).getReader();
  await reader.read();
  await reader.cancel();
  expect(await getExport(ctx, id)).toMatchObject({ state: "CANCELLED" });
  await new Response(await begin()).text();
  expect(await getExport(ctx, id)).toMatchObject({ state: "DONE", rows: 50_000 });
});

test("of two downloads of one address the later is told of, and neither ends the other", async () => {
  const ctx = await somebody();
  const id = newId();
  const begin = async (count: number) =>
    (await followExport(ctx, id, () => Promise.resolve(table(count)))).getReader();
  const rest = async (reader: ReadableStreamDefaultReader) => {
    while (!(await reader.read()).done);
  };
  const [lost, saved, last] = [await begin(50_000), await begin(60_000), await begin(4_000)];
  for (const reader of [lost, saved, last]) await reader.read();
  await lost.cancel();
  expect(await getExport(ctx, id)).toMatchObject({ state: "RUNNING" });
  await rest(saved);
  expect(await getExport(ctx, id)).toMatchObject({ state: "RUNNING" });
  await rest(last);
  expect(await getExport(ctx, id)).toMatchObject({ state: "DONE", rows: 4_000 });
});

test("the end of an export is written down although the database is away for a moment", async () => {
  const ctx = await somebody();
  const id = newId();
  let away = 0;
  const db = new Proxy(ctx.db, {
    get(target, name) {
      if (name === "update" && away > 0 && away--) throw new Error("away");
      return Reflect.get(target, name, target) as unknown;
    },
  });
  const file = await followExport({ ...ctx, db }, id, () => Promise.resolve(table(4_000)));
  away = 1;
  await new Response(file).text();
  expect(await getExport(ctx, id)).toMatchObject({ state: "DONE", rows: 4_000 });
});

test("what cannot be begun or read on has failed, with the reason that people are told", async () => {
  const ctx = await somebody();
  const [never, cut, unforeseen] = [newId(), newId(), newId()];
  const slow = new AppError("CONFLICT", "It took too long.");
  await expect(followExport(ctx, never, () => Promise.reject(slow))).rejects.toThrow(slow);
  expect(await getExport(ctx, never)).toMatchObject({
    state: "FAILED",
    failureReason: slow.message,
  });
  for (const [id, error] of [
    [cut, slow],
    [unforeseen, new Error("select secrets")],
  ] as const) {
    let stretches = 0;
    const breaks = () => (++stretches > 2 ? Promise.reject(error) : Promise.resolve());
    const file = await followExport(ctx, id, () => Promise.resolve(table(50_000, breaks)));
    await expect(new Response(file).text()).rejects.toThrow();
    expect(await getExport(ctx, id)).toMatchObject({
      ...{ state: "FAILED", rows: 4_000 },
      failureReason: error === slow ? slow.message : null,
    });
  }
});

test("one whose program is gone has failed, and nobody else is told of anybody's", async () => {
  const ctx = await somebody();
  const id = newId();
  const reader = (await followExport(ctx, id, () => Promise.resolve(table(10_000)))).getReader();
  await reader.read();
  const { id: colleague } = await findOrCreateUser(database.db, {
    ...{ email: `colleague-${id}@example.com`, name: "Ada" },
  });
  const other: Context = { ...ctx, actor: { type: "user", id: colleague } };
  for (const ask of [getExport, cancelExport]) {
    await expect(ask(other, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(ask(ctx, "an-export-nobody-began")).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  // Nothing is heard of it any more.
  await database.db.execute(sql`
    update export_progress set updated_at = app_now() + interval '1 hour' where id = ${id}`);
  expect(await getExport(ctx, id)).toMatchObject({ state: "RUNNING" });
  await reader.cancel();
  await database.db.execute(sql`
    update export_progress set state = 'RUNNING', updated_at = app_now() - interval '30 seconds'
    where id = ${id}`);
  expect(await getExport(ctx, id)).toMatchObject({ state: "FAILED", failureReason: null });
});
