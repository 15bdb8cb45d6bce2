import { expect, test } from "vitest";
import { bySize } from "./by-size";

const megabyte = 1024 * 1024;
const sizes = (given: number[]) =>
  bySize(given.map((size) => ({ size }))).map((stretch) => stretch.map(({ size }) => size));

test("what is large is read in pieces of 4 MB, and what is small a hundred at a time", () => {
  expect(sizes([])).toEqual([]);
  expect(sizes([1, 2, 9 * megabyte, 3, 2 * megabyte, 2 * megabyte, 4])).toEqual([
    [1, 2],
    [9 * megabyte],
    [3, 2 * megabyte],
    [2 * megabyte, 4],
  ]);
  expect(sizes(Array<number>(250).fill(0)).map(({ length }) => length)).toEqual([100, 100, 50]);
});
