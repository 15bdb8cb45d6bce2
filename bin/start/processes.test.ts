import { afterEach, describe, expect, test, vi } from "vitest";
import { reloadEnv } from "@/lib/ground/env/env";
import { programProcesses } from "./children";
import { processCounts } from "./processes";

const gigabytes = 1_000_000_000;

function set(name: string, value: string): void {
  vi.stubEnv(name, value);
  reloadEnv();
}

afterEach(() => {
  vi.unstubAllEnvs();
  reloadEnv();
});

describe("without settings", () => {
  test.each([
    ["one core", 1, 24, 1],
    ["two cores", 2, 24, 1],
    ["four cores", 4, 8, 2],
    ["sixteen cores", 16, 64, 8],
    ["a large machine", 128, 512, 8],
    ["many cores with little memory", 16, 3.5, 3],
    ["next to no memory", 4, 0.5, 1],
  ])("%s", (_, cores, size, pairs) => {
    const machine = { cores, bytes: size * gigabytes };
    expect(processCounts({ dev: false }, machine)).toEqual({ web: pairs, worker: pairs, smtp: 1 });
  });
});

test("settings decide, and each counts for itself", () => {
  set("WORKER_PROCESSES", "5");
  const machine = { cores: 4, bytes: 8 * gigabytes };
  expect(processCounts({ dev: false }, machine)).toEqual({ web: 2, worker: 5, smtp: 1 });
  set("WEB_PROCESSES", "3");
  expect(processCounts({ dev: false }, machine)).toEqual({ web: 3, worker: 5, smtp: 1 });
});

test("development has one web", () => {
  set("WEB_PROCESSES", "3");
  expect(processCounts({ dev: true }, { cores: 8, bytes: 8 * gigabytes }).web).toBe(1);
});

test.each(["0", "1.5", "65", "many"])("%s is no number of processes", (value) => {
  expect(() => set("WEB_PROCESSES", value)).toThrow("WEB_PROCESSES");
});

test("processes are numbered where a program has several", () => {
  const names = programProcesses({ web: 2, worker: 1, smtp: 1 });
  expect(names.map(({ name, index }) => [name, index])).toEqual([
    ["web 1", 0],
    ["web 2", 1],
    ["worker", 2],
    ["smtp", 3],
  ]);
});
