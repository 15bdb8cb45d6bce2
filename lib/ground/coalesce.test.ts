import { expect, it } from "vitest";
import { coalesce } from "./coalesce";

/** What was run together, for items of these weights. */
async function batches(weights: number[], largestWeight: number): Promise<number[][]> {
  const run: number[][] = [];
  const call = coalesce(
    (items: number[]) => {
      run.push(items);
      return Promise.resolve(items);
    },
    { concurrency: 1, largestBatch: 4, weigh: (item) => item, largestWeight },
  );
  expect(await Promise.all(weights.map(call))).toEqual(weights);
  return run;
}

it("runs together what weighs no more than a batch may, in its order", async () => {
  expect(await batches([3, 4, 3, 9, 1], 10)).toEqual([
    [3, 4, 3],
    [9, 1],
  ]);
});

it("runs alone what is heavier than a batch, and no more than fit in number", async () => {
  expect(await batches([1, 50, 1, 1, 1, 1, 1], 10)).toEqual([[1], [50], [1, 1, 1, 1], [1]]);
});
