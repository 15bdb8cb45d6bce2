import { expect, test } from "vitest";
import { ticksTo } from "./chart-ticks";

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [43, [0, 20, 40, 60]],
  [1_452, [0, 500, 1_000, 1_500]],
  [1_000_000, [0, 500_000, 1_000_000]],
])("up to %d: %j", (largest, ticks) => {
  expect(ticksTo(largest)).toEqual(ticks);
});

test("never more than six, and the last is the largest or above", () => {
  for (let largest = 1; largest < 20_000; largest += 7) {
    const ticks = ticksTo(largest);
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(largest);
  }
});
