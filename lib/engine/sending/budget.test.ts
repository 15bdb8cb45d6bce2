import { expect, test } from "vitest";
import { Budget } from "./budget";

const settled = async (promise: Promise<void>) =>
  Promise.race([promise.then(() => true), new Promise((r) => setImmediate(() => r(false)))]);

test("what fits passes, what does not waits its turn", async () => {
  const budget = new Budget(10);
  await budget.take(6);
  const second = budget.take(5);
  const third = budget.take(1);
  expect(await settled(second)).toBe(false);
  expect(await settled(third)).toBe(false);
  budget.give(6);
  await Promise.all([second, third]);
  const fourth = budget.take(5);
  expect(await settled(fourth)).toBe(false);
  budget.give(5);
  await fourth;
});

test("what is larger than all of it passes alone", async () => {
  const budget = new Budget(10);
  await budget.take(1);
  const large = budget.take(50);
  expect(await settled(large)).toBe(false);
  budget.give(1);
  await large;
  const next = budget.take(1);
  expect(await settled(next)).toBe(false);
  budget.give(50);
  await next;
});
