import { expect, test } from "vitest";
import { formatSeconds, paceOf } from "./pace";

test("pace and time left come from two samples, and are not guessed from too little", () => {
  const first = { at: 1000, count: 100 };
  expect(paceOf(first, { at: 3000, count: 2100 }, 12_100)).toEqual({
    perSecond: 1000,
    secondsLeft: 10,
  });
  expect(paceOf(first, { at: 1100, count: 2100 }, 12_100)).toBeNull();
  expect(paceOf(first, { at: 9000, count: 100 }, 12_100)).toBeNull();
});

test("durations are said in the unit one thinks in", () => {
  expect([1, 42, 200, 7300].map(formatSeconds)).toEqual([
    "a few seconds",
    "40 seconds",
    "3 minutes",
    "2 hours",
  ]);
});
