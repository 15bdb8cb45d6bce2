import { expect, it } from "vitest";
import { ByteBudget } from "./byte-budget";
import { ByteHold } from "./byte-hold";

it("memory that is held in steps is given back as a whole", async () => {
  const budget = new ByteBudget({ capacity: 192, smallCapacity: 48, largestSmall: 1 });
  const [first, second] = [new ByteHold(budget, "a"), new ByteHold(budget, "b")];
  await first.hold(90);
  expect(first.tryHold(90)).toBe(true);
  expect(first.tryHold(100)).toBe(false);
  expect(first.tryHold(90.5)).toBe(true);
  await second.hold(90);
  const third = new ByteHold(budget, "a");
  expect(third.tryHold(90)).toBe(false);
  first.release();
  expect(third.tryHold(90)).toBe(true);
  third.release();
  second.release();
});

it("memory whose turn comes when nobody waits any longer is given back", async () => {
  const budget = new ByteBudget({ capacity: 192, smallCapacity: 48, largestSmall: 1 });
  const [first, second] = [new ByteHold(budget, "a"), new ByteHold(budget, "a")];
  await first.hold(96);
  const waiting = second.hold(96);
  second.release();
  first.release();
  await waiting;
  const third = new ByteHold(budget, "a");
  expect(third.tryHold(96)).toBe(true);
  third.release();
});
