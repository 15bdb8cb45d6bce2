import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acquireLock, lockHolder } from "./lock";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lettermill-lock-"));
  file = join(folder, "lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

const impatient = { waitSeconds: () => 0, refusal: () => "It is taken." };

test("a lock that is held refuses, and is free once it is released", async () => {
  const release = await acquireLock(file, "start", impatient);
  expect(lockHolder(file)).toMatchObject({ pid: process.pid, purpose: "start" });
  await expect(acquireLock(file, "command", impatient)).rejects.toThrow("It is taken.");
  release();
  expect(lockHolder(file)).toBeNull();
  (await acquireLock(file, "command", impatient))();
  expect(existsSync(file)).toBe(false);
});

test("the lock of a process that is gone is taken over", async () => {
  const dead = spawn(process.execPath, ["-e", ""]);
  await once(dead, "exit");
  writeFileSync(file, JSON.stringify({ pid: dead.pid, startedAt: "1", purpose: "start" }));
  const release = await acquireLock(file, "start", impatient);
  expect(lockHolder(file)?.pid).toBe(process.pid);
  release();
});

test("another process with the number of the dead holder does not hold its lock", () => {
  const impostor = { pid: process.pid, startedAt: "before this process", purpose: "start" };
  writeFileSync(file, JSON.stringify(impostor));
  expect(lockHolder(file)).toBeNull();
});

test("a damaged lock is nobody's", async () => {
  writeFileSync(file, "{");
  const release = await acquireLock(file, "start", impatient);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ pid: process.pid });
  release();
});

test("of many that find a dead holder's lock at once, one holds it at any time", async () => {
  writeFileSync(file, JSON.stringify({ pid: 999_999_999, startedAt: "1", purpose: "start" }));
  let holders = 0;
  let most = 0;
  const patient = { waitSeconds: () => 20, refusal: () => "It is taken." };
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const release = await acquireLock(file, "command", patient);
      most = Math.max(most, ++holders);
      await new Promise((resolve) => setImmediate(resolve));
      holders--;
      release();
    }),
  );
  expect(most).toBe(1);
});
