import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { fileURLToPath } from "node:url";

test("the list of drizzle-orm's modules is short, and each is found as before", () => {
  const root = new URL("../../node_modules/drizzle-orm/", import.meta.url);
  expect(statSync(fileURLToPath(new URL("package.json", root))).size).toBeLessThan(40_000);
  for (const [name, file] of [
    ["drizzle-orm", "index.js"],
    ["drizzle-orm/pg-core", "pg-core/index.js"],
    ["drizzle-orm/pg-core/columns/bigint", "pg-core/columns/bigint.js"],
    ["drizzle-orm/postgres-js/migrator", "postgres-js/migrator.js"],
    ["drizzle-orm/sql/expressions", "sql/expressions/index.js"],
    ["drizzle-orm/cache/upstash/cache", "cache/upstash/cache.js"],
  ] as const) {
    expect(import.meta.resolve(name), name).toBe(new URL(file, root).href);
  }
});
