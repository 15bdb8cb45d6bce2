import { expect, test } from "vitest";
import { countChange, rateBefore } from "./comparison";

test.each([
  [0, 0, null],
  [7, 0, "none in the 7 days before"],
  [112, 100, "12% more than in the 7 days before"],
  [88, 100, "12% fewer than in the 7 days before"],
  [0, 100, "100% fewer than in the 7 days before"],
  [1_001, 1_000, "as many as in the 7 days before"],
  [299, 100, "199% more than in the 7 days before"],
  [310, 100, "3 times as many as in the 7 days before"],
])("%i beside %i", (now, before, words) => {
  expect(countChange(now, before, "7d")).toBe(words);
});

test("a rate says what it was, where there was one", () => {
  expect(rateBefore(0.414, "30d")).toBe("41.4% in the 30 days before");
  expect(rateBefore(null, "24h")).toBeNull();
});
