import { expect, test } from "vitest";
import { Backoff } from "./backoff";

test("waits double from half a second up to thirty seconds", () => {
  const backoff = new Backoff();
  const waits = Array.from({ length: 9 }, () => backoff.next(0));
  expect(waits).toEqual([0.5, 1, 2, 4, 8, 16, 30, 30, 30]);
});

test("a healthy life begins the waits anew, a short one does not", () => {
  const backoff = new Backoff();
  backoff.next(0);
  backoff.next(0);
  expect(backoff.next(29)).toBe(2);
  expect(backoff.next(30)).toBe(0.5);
  expect(backoff.next(0)).toBe(1);
});
