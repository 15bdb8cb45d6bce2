import { expect, test, vi } from "vitest";
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

/** Takes bytes that are arriving and give way at once, or after so many milliseconds. */
function arriving(budget: ByteBudget, lane: string, bytes: number, safeMilliseconds = 0) {
  const giveWay = vi.fn();
  return { giveWay, held: budget.tryTake(lane, bytes, { safeMilliseconds, giveWay }) };
}

test("lanes that hold more lose what is still arriving, the oldest of the fullest, and no more than needed", () => {
  const budget = budgetOf(100);
  const [first, second] = [arriving(budget, "a", 20), arriving(budget, "a", 20)];
  const other = arriving(budget, "b", 15);
  const last = arriving(budget, "c", 45);
  last.held?.keep();
  // The fullest lane has all of it and keeps it: the next one gives way.
  const small = arriving(budget, "d", 10);
  expect(small.held).not.toBeNull();
  const gaveWay = [first, second, other, last].map(({ giveWay }) => giveWay.mock.calls.length);
  expect(gaveWay).toEqual([1, 0, 0, 0]);
  // What it held is free: it can neither grow nor give back anything twice.
  expect(first.held?.tryGrow(1)).toBe(false);
  first.held?.release();
  expect(arriving(budget, "e", 10).held).not.toBeNull();
  expect(second.giveWay).not.toHaveBeenCalled();
});

test("nobody gives way in vain, nor to a lane that would hold as much", () => {
  const budget = budgetOf(100);
  const [first, second] = [arriving(budget, "a", 30), arriving(budget, "b", 30)];
  budget.tryTake("c", 30);
  expect(budget.tryTake("d", 30)).toBeNull();
  expect(budget.tryTake("d", 29)).not.toBeNull();
  expect(first.giveWay).toHaveBeenCalledOnce();
  // Of 31 missing, 30 could be had.
  expect(budget.tryTake("e", 42)).toBeNull();
  expect(second.giveWay).not.toHaveBeenCalled();
});

test("room is safe for a while, so that who waits has it at the end of its patience", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const budget = budgetOf(100);
    const [slow, other] = [arriving(budget, "a", 45, 1_000), arriving(budget, "b", 45, 1_000)];
    const patience = new AbortController();
    const { take, names } = taking(budget);
    take("patient", "c", 20, patience.signal);
    vi.advanceTimersByTime(999);
    expect(await names()).toEqual([]);
    vi.advanceTimersByTime(1);
    patience.abort();
    expect(await names()).toEqual(["patient"]);
    expect([slow, other].map(({ giveWay }) => giveWay.mock.calls.length)).toEqual([1, 0]);
  } finally {
    vi.useRealTimers();
  }
});

test("room that was waited for is safe as long as any other", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const budget = budgetOf(100);
    const before = budget.tryTake("a", 100);
    const giveWay = vi.fn();
    const waiting = budget.take("b", 60, undefined, { safeMilliseconds: 1_000, giveWay });
    vi.advanceTimersByTime(1_000);
    before?.release();
    await waiting;
    vi.advanceTimersByTime(999);
    expect(budget.tryTake("c", 50)).toBeNull();
    expect(giveWay).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(budget.tryTake("c", 50)).not.toBeNull();
    expect(giveWay).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

test("what grows waits for its turn, and waits no longer once it gives way", async () => {
  const budget = budgetOf(100);
  const grower = arriving(budget, "a", 40);
  const other = arriving(budget, "b", 50);
  const grown = vi.fn();
  void grower.held?.grow(20, new AbortController().signal).then(grown);
  expect(grower.held?.tryGrow(20)).toBe(false);
  const { take, names } = taking(budget);
  take("small", "c", 11);
  // The lane that waits has half of it already and waits for itself.
  expect(await names()).toEqual(["small"]);
  expect(other.giveWay).toHaveBeenCalledOnce();
  expect(grown).not.toHaveBeenCalled();
  take("next", "d", 39);
  take("last", "e", 11);
  expect(await names()).toEqual(["small", "next", "last"]);
  expect(grower.giveWay).toHaveBeenCalledOnce();
  expect(grown).toHaveBeenCalledExactlyOnceWith(false);
});
