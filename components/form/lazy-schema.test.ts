import { expect, test } from "vitest";
import { z } from "zod";
import { isKnownWrong, isLazy, lazySchema, schemaNow } from "./lazy-schema";

const schema = z.object({ name: z.string() });

test("a schema is loaded once, when it is first asked for", async () => {
  let loads = 0;
  const lazy = lazySchema(() => {
    loads++;
    return Promise.resolve(schema);
  });
  expect([schemaNow(lazy), loads]).toEqual([null, 0]);
  await Promise.all([lazy.load(), lazy.load()]);
  expect(schemaNow(lazy)).toBe(schema);
  expect(loads).toBe(1);
});

test("one that could not be loaded is tried again", async () => {
  let isAway = true;
  const lazy = lazySchema(() =>
    isAway ? Promise.reject(new Error("the server is away")) : Promise.resolve(schema),
  );
  await expect(lazy.load()).rejects.toThrow("away");
  expect(schemaNow(lazy)).toBeNull();
  isAway = false;
  expect(await lazy.load()).toBe(schema);
});

test("a schema of its own is there at once", () => {
  expect(isLazy(schema)).toBe(false);
  expect(schemaNow(schema)).toBe(schema);
});

test("a value is known to be wrong only once its schema is there", async () => {
  const lazy = lazySchema(() => Promise.resolve(schema));
  expect(isKnownWrong(lazy, { name: 1 })).toBe(false);
  await lazy.load();
  expect([isKnownWrong(lazy, { name: 1 }), isKnownWrong(lazy, { name: "Ada" })]).toEqual([
    true,
    false,
  ]);
});
