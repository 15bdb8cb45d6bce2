import { expect, test } from "vitest";
import { keysInStep } from "./variants";

test("a variant keeps its key when one before it is removed", () => {
  const keys = keysInStep([], 3);
  expect(new Set(keys).size).toBe(3);
  const left = keys.filter((_, at) => at !== 1);
  expect(keysInStep(left, 2)).toEqual([keys[0], keys[2]]);
});

test("a variant that is added gets a key that none of the others has", () => {
  expect(keysInStep([0, 2], 3)).toEqual([0, 2, 3]);
  expect(new Set(keysInStep([3, 1], 4)).size).toBe(4);
});

test("variants that went elsewhere leave no keys", () => {
  expect(keysInStep([0, 1, 2], 2)).toEqual([0, 1]);
  expect(keysInStep([0, 1], 2)).toEqual([0, 1]);
});
