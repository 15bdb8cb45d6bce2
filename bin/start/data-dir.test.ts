import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDataDirectory } from "./data-dir";
import { acquireLock } from "./lock";
import { lockFile, readRuntime, writeRuntime } from "./runtime";
import { ensureSecrets } from "./secrets";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lettermill-data-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const running = {
  pid: process.pid,
  DATABASE_URL: "postgres://localhost/mill",
  APP_SECRET: "a secret of the running product",
  CRON_SECRET: "another secret of the running product",
  APP_URL: "http://localhost:3000",
  MAIL_TRANSPORT: "capture",
  MAIL_TRANSPORT_KEY: "",
  MAIL_TRANSPORT_WEBHOOK_SECRET: "",
};

test("DATA_DIR is made with the folders above it", () => {
  vi.stubEnv("DATA_DIR", join(folder, "a", "b"));
  expect(openDataDirectory()).toBe(join(folder, "a", "b"));
  expect(existsSync(join(folder, "a", "b"))).toBe(true);
});

test("a DATA_DIR that cannot be is one sentence", () => {
  writeFileSync(join(folder, "file"), "");
  vi.stubEnv("DATA_DIR", join(folder, "file", "data"));
  expect(openDataDirectory).toThrow(
    /^DATA_DIR \S+ cannot be written: a part of the path is a file\.$/,
  );
});

test("a DATA_DIR where the kernel makes nothing does not hold the start up", () => {
  vi.stubEnv("DATA_DIR", "/proc/nothing/here");
  expect(openDataDirectory).toThrow("cannot be written");
});

test("secrets are made once, and their owner alone may read them", () => {
  const secrets = ensureSecrets(folder);
  expect(ensureSecrets(folder)).toEqual(secrets);
  expect(new Set(Object.values(secrets)).size).toBe(3);
  expect(statSync(join(folder, "secrets.json")).mode & 0o777).toBe(0o600);
});

test("damaged secrets are told, never replaced: sealed data would be lost", () => {
  writeFileSync(join(folder, "secrets.json"), "{");
  expect(() => ensureSecrets(folder)).toThrow("secrets.json is damaged");
  writeFileSync(join(folder, "secrets.json"), "{}");
  expect(() => ensureSecrets(folder)).toThrow("secrets.json is damaged");
});

test("what a running product tells is read while it holds the lock, and by its owner alone", async () => {
  writeRuntime(folder, running);
  expect(statSync(join(folder, "runtime.json")).mode & 0o777).toBe(0o600);
  expect(readRuntime(folder)).toBeNull();
  const release = await acquireLock(lockFile(folder), "start", {
    waitSeconds: () => 0,
    refusal: () => "It is taken.",
  });
  expect(readRuntime(folder)).toEqual(running);
  release();
  expect(readRuntime(folder)).toBeNull();
});

test("what a killed launcher left is not taken for its successor's", async () => {
  writeRuntime(folder, { ...running, pid: process.pid + 1 });
  const release = await acquireLock(lockFile(folder), "start", {
    waitSeconds: () => 0,
    refusal: () => "It is taken.",
  });
  expect(readRuntime(folder)).toBeNull();
  release();
});
