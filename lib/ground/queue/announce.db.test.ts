import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { until } from "@/lib/testing/until";
import { announce } from "./announce";

const database = useTestDatabase();

async function heard(work: (count: () => number) => Promise<void>): Promise<number> {
  const listener = connect(database.url, { max: 1 });
  let count = 0;
  await listener.$client.listen("emails_due", () => count++);
  try {
    await work(() => count);
    return count;
  } finally {
    await listener.$client.end();
  }
}

it("a lone announcement is heard at once", async () => {
  await heard(async (count) => {
    const started = performance.now();
    announce(database.db, "emails_due");
    await until(() => count() === 1, { everyMilliseconds: 1 });
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

it("of many in a row some are heard, and the last one is among them", async () => {
  const count = await heard(async (current) => {
    const started = performance.now();
    for (let turn = 0; performance.now() - started < 200; turn++) {
      announce(database.db, "emails_due");
      if (turn % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const before = current();
    announce(database.db, "emails_due");
    await until(() => current() > before);
  });
  expect(count).toBeGreaterThan(1);
  expect(count).toBeLessThan(20);
});

it("one that the database does not take fails nobody", async () => {
  const gone = connect(database.url, { max: 1 });
  await gone.$client.end();
  announce(gone, "emails_due");
  await new Promise((resolve) => setImmediate(resolve));
});

it("only the rare events of webhooks are notified of within a transaction", () => {
  const files = execFileSync("git", ["ls-files", "lib", "bin"], { encoding: "utf8" })
    .split("\n")
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
  expect(files.filter((file) => readFileSync(file, "utf8").includes("pg_notify("))).toEqual([
    "lib/ground/events/emit.ts",
    "lib/ground/queue/announce.ts",
  ]);
});
