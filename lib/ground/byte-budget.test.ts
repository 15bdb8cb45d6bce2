import { expect, test } from "vitest";
import { ByteBudget, type HeldBytes } from "./byte-budget";

const budgetOf = (capacity: number) =>
  new ByteBudget({ capacity, smallCapacity: 10, largestSmall: 1 });

/** What is taken, in its order, by name. */
function taking(budget: ByteBudget) {
  const taken = new Map<string, HeldBytes>();
  return {
    taken,
    names: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return [...taken.keys()];
    },
    take: (name: string, lane: string, bytes: number, signal?: AbortSignal) => {
      void budget.take(lane, bytes, signal).then((held) => held && taken.set(name, held));
    },
  };
}

test("what fits passes, what does not waits its turn", async () => {
  const { take, taken, names } = taking(budgetOf(100));
  take("first", "a", 60);
  take("second", "b", 50);
  take("third", "c", 30);
  expect(await names()).toEqual(["first"]);
  taken.get("first")?.release();
  taken.get("first")?.release();
  expect(await names()).toEqual(["first", "second", "third"]);
});

test("what is larger than all of it passes alone", async () => {
  const { take, taken, names } = taking(budgetOf(100));
  take("first", "a", 10);
  take("large", "b", 500);
  take("behind", "c", 10);
  expect(await names()).toEqual(["first"]);
  taken.get("first")?.release();
  expect(await names()).toEqual(["first", "large"]);
  taken.get("large")?.release();
  expect(await names()).toEqual(["first", "large", "behind"]);
});

test("a lane has half at most while others hold something, and lanes take turns", async () => {
  const { take, taken, names } = taking(budgetOf(100));
  for (const name of ["a1", "a2", "a3", "a4"]) take(name, "a", 25);
  take("b1", "b", 25);
  expect(await names()).toEqual(["a1", "a2", "b1"]);
  take("c1", "c", 25);
  expect(await names()).toEqual(["a1", "a2", "b1", "c1"]);
  taken.get("b1")?.release();
  expect(await names()).toEqual(["a1", "a2", "b1", "c1"]);
  taken.get("a1")?.release();
  expect(await names()).toEqual(["a1", "a2", "b1", "c1", "a3"]);
});

test("small things pass beside large ones", async () => {
  const budget = budgetOf(100);
  const { take, names } = taking(budget);
  take("all", "a", 100);
  take("large", "b", 50);
  take("small", "c", 1);
  expect(await names()).toEqual(["all", "small"]);
  expect(budget.tryTake("d", 2)).toBeNull();
  expect(budget.tryTake("d", 1)).not.toBeNull();
});

test("who gives up keeps nobody waiting, and what shrinks makes room", async () => {
  const { take, taken, names } = taking(budgetOf(100));
  take("first", "a", 60);
  const patience = new AbortController();
  take("impatient", "b", 90, patience.signal);
  take("behind", "c", 40);
  take("last", "d", 40);
  expect(await names()).toEqual(["first"]);
  patience.abort();
  expect(await names()).toEqual(["first", "behind"]);
  taken.get("first")?.shrinkTo(20);
  expect(await names()).toEqual(["first", "behind", "last"]);
});
