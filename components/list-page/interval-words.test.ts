import { expect, test } from "vitest";
import { intervalWords } from "./interval-words";

test("a notice says the interval that is kept", () => {
  expect([700, 2_000, 30_000, 60_000, 300_000].map(intervalWords)).toEqual([
    "every second",
    "every 2 seconds",
    "every 30 seconds",
    "every minute",
    "every 5 minutes",
  ]);
});
