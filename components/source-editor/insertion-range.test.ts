import { expect, test } from "vitest";
import { insertionRange } from "./insertion-range";

test("a placeholder goes where the caret was, and in place of the words that were selected", () => {
  expect(insertionRange(10, [4, 4])).toEqual([4, 4]);
  expect(insertionRange(10, [0, 0])).toEqual([0, 0]);
  expect(insertionRange(10, [2, 6])).toEqual([2, 6]);
  expect(insertionRange(10, [0, 9])).toEqual([0, 9]);
});

test("it goes to the end of a field that nobody was in, or that Tab has selected as a whole", () => {
  expect(insertionRange(10, null)).toEqual([10, 10]);
  expect(insertionRange(10, [0, 10])).toEqual([10, 10]);
  expect(insertionRange(0, [0, 0])).toEqual([0, 0]);
});
