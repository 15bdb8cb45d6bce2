import { expect, test } from "vitest";
import { Leases } from "./leases";

const item = { id: "one" };

test("an item is held from its claim until its lease is about to end, or it is released", () => {
  const leases = new Leases(10, () => Promise.resolve(new Set<string>()));
  expect(leases.holds(item)).toBe(false);
  leases.hold([item], performance.now());
  expect(leases.holds(item)).toBe(true);
  expect(leases.size).toBe(1);
  leases.hold([item], performance.now() - 9_000);
  expect(leases.holds(item)).toBe(false);
  leases.release(item);
  expect(leases.size).toBe(0);
});

test("a lease past its middle is renewed, a fresh one is left alone", async () => {
  const asked: string[][] = [];
  const leases = new Leases(10, (items) => {
    asked.push(items.map(({ id }) => id));
    return Promise.resolve(new Set(["old"]));
  });
  const old = { id: "old" };
  leases.hold([old], performance.now() - 7_900);
  leases.hold([item], performance.now());
  await leases.renew();
  await leases.renew();
  expect(asked).toEqual([["old"]]);
  expect(leases.holds(old)).toBe(true);
});

test("what the database does not renew belongs to somebody else; one that is away changes nothing", async () => {
  let answer: () => Promise<ReadonlySet<string>> = () => Promise.reject(new Error("away"));
  const leases = new Leases(10, () => answer());
  leases.hold([item], performance.now() - 7_000);
  await leases.renew();
  expect(leases.holds(item)).toBe(true);
  answer = () => Promise.resolve(new Set());
  await leases.renew();
  expect(leases.holds(item)).toBe(false);
});
