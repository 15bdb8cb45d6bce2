import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { coalesce } from "./coalesce";

/** What was run together, for items of these weights. */
async function batches(weights: number[], largestWeight: number): Promise<number[][]> {
  const run: number[][] = [];
  const call = coalesce(
    (items: number[]) => {
      run.push(items);
      return Promise.resolve(items);
    },
    { concurrency: 1, largestBatch: 4, weigh: (item) => item, largestWeight },
  );
  expect(await Promise.all(weights.map(call))).toEqual(weights);
  return run;
}

it("runs together what weighs no more than a batch may, in its order", async () => {
  expect(await batches([3, 4, 3, 9, 1], 10)).toEqual([
    [3, 4, 3],
    [9, 1],
  ]);
});

it("runs alone what is heavier than a batch, and no more than fit in number", async () => {
  expect(await batches([1, 50, 1, 1, 1, 1, 1], 10)).toEqual([[1], [50], [1, 1, 1, 1], [1]]);
});

it("repeats items one by one where one of them is about a project that has gone elsewhere", async () => {
  const run: string[][] = [];
  const call = coalesce(
    (items: string[]) => {
      run.push(items);
      if (!items.includes("gone")) return Promise.resolve(items);
      return Promise.reject(Object.assign(new Error("no"), { code: "LM001", severity: "ERROR" }));
    },
    { concurrency: 1 },
  );
  const results = await Promise.allSettled(["a", "gone", "b"].map(call));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(run).toEqual([["a", "gone", "b"], ["a"], ["gone"], ["b"]]);
});

describe("with a pause", () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }),
  );
  afterEach(() => void vi.useRealTimers());

  const paused = () => {
    const run: number[][] = [];
    const call = coalesce(
      (items: number[]) => {
        run.push(items);
        return Promise.resolve(items);
      },
      { concurrency: 1, pauseMilliseconds: 20, enough: 3 },
    );
    return { run, call };
  };

  it("runs a lone item at once, and gathers what comes within the pause behind it", async () => {
    const { run, call } = paused();
    await call(1);
    const later = [call(2)];
    await vi.advanceTimersByTimeAsync(10);
    later.push(call(3));
    expect(run).toEqual([[1]]);
    await vi.advanceTimersByTimeAsync(10);
    expect(await Promise.all(later)).toEqual([2, 3]);
    expect(run).toEqual([[1], [2, 3]]);
    await vi.advanceTimersByTimeAsync(20);
    expect(await call(4)).toBe(4);
  });

  it("waits no longer once enough has come", async () => {
    const { run, call } = paused();
    await call(1);
    expect(await Promise.all([2, 3, 4].map(call))).toEqual([2, 3, 4]);
    expect(run).toEqual([[1], [2, 3, 4]]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
