import { describe, expect, test } from "vitest";
import { readRetryAfter, secondsUntilRetry } from "./schedule";

describe("the next try of a webhook delivery", () => {
  test("comes 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h after the one before, then no more", () => {
    const waits = Array.from({ length: 10 }, (_, index) => secondsUntilRetry(index + 1, null, 0.5));
    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
  });

  test("is spread by a tenth to either side", () => {
    expect(secondsUntilRetry(2, null, 0)).toBeCloseTo(270);
    expect(secondsUntilRetry(2, null, 1)).toBeCloseTo(330);
  });

  test("is not sooner than the receiver asks for, and no later than a day", () => {
    expect(secondsUntilRetry(1, 90, 0.5)).toBe(90);
    expect(secondsUntilRetry(2, 90, 0.5)).toBe(300);
    expect(secondsUntilRetry(1, 1e9, 0.5)).toBe(86_400);
  });
});

test.each([
  [undefined, null],
  ["120", 120],
  [" 7 ", 7],
  ["Sat, 21 Nov 2026 08:00:30 GMT", 30],
  ["Sat, 21 Nov 2026 07:00:00 GMT", 0],
  ["-5", null],
  ["1.5", null],
  ["soon", null],
])("Retry-After %j asks for %j seconds", (header, seconds) => {
  expect(readRetryAfter(header, Date.parse("2026-11-21T08:00:00Z"))).toBe(seconds);
});
