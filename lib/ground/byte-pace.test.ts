import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BytePace } from "./byte-pace";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** 10 bytes a second, 40 at once. */
const newPace = () => new BytePace({ perSecond: 10, burst: 40 });

/** Seconds after which these, asked for at once, are let through; null: refused. */
const waits = (pace: BytePace, sizes: number[], lane = "a") =>
  sizes.map((bytes) => {
    const wait = pace.book(lane, bytes, 5_000);
    return wait === null ? null : wait / 1_000;
  });

test("a burst passes at once, what follows at the pace", () => {
  expect(waits(newPace(), [10, 10, 20, 10, 10, 10])).toEqual([0, 0, 0, 1, 2, 3]);
});

test("what would wait for longer than patience lasts is refused, and does not count", () => {
  expect(waits(newPace(), [40, 40, 40, 40, 10])).toEqual([0, 4, null, null, 5]);
});

test("what is larger than the burst passes when nothing is owed", () => {
  const pace = newPace();
  expect(waits(pace, [90, 1])).toEqual([0, null]);
  vi.advanceTimersByTime(5_000);
  expect(waits(pace, [1, 40])).toEqual([0.1, 4.1]);
  vi.advanceTimersByTime(13_100);
  expect(waits(pace, [90])).toEqual([0]);
});

test("a lane does not wait for another", () => {
  const pace = newPace();
  expect(waits(pace, [40, 40], "a")).toEqual([0, 4]);
  expect(waits(pace, [40], "b")).toEqual([0]);
});

test("what was charged afterwards is waited for like what was booked", () => {
  const pace = newPace();
  expect(waits(pace, [0])).toEqual([0]);
  pace.charge("a", 60);
  expect(waits(pace, [0, 10], "a")).toEqual([2, 3]);
});

test("taking waits for as long as booked", async () => {
  vi.useRealTimers();
  const pace = new BytePace({ perSecond: 1_000, burst: 50 });
  const began = performance.now();
  expect(await pace.take("a", 50, 0)).toBe(true);
  expect(await pace.take("a", 50, 0)).toBe(false);
  expect(await pace.take("a", 50, 1_000)).toBe(true);
  // A timer may be up to two milliseconds early: it is set in whole ones of a clock that is behind.
  expect(performance.now() - began).toBeGreaterThanOrEqual(48);
});
