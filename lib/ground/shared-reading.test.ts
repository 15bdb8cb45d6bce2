import { expect, test } from "vitest";
import { SharedReading } from "./shared-reading";

interface Reading {
  nth: number;
}

/** Readings that end when the test says so. */
function readings() {
  const waiting: PromiseWithResolvers<Reading>[] = [];
  const read = () => {
    const one = Promise.withResolvers<Reading>();
    waiting.push(one);
    return one.promise;
  };
  return { waiting, read };
}

test("those who ask at once share a reading, and those who ask soon get what it gave", async () => {
  const shared = new SharedReading<Reading>({ max: 10, ttl: 60_000 });
  const { waiting, read } = readings();
  const asked = [shared.of("a", read), shared.of("a", read), shared.of("b", read)];
  expect(waiting).toHaveLength(2);
  for (const [nth, one] of waiting.entries()) one.resolve({ nth });
  expect(await Promise.all(asked)).toEqual([{ nth: 0 }, { nth: 0 }, { nth: 1 }]);
  expect(await shared.of("a", read)).toEqual({ nth: 0 });
  expect(waiting).toHaveLength(2);
});

test("one that fails is told to all who waited, and read again by the next", async () => {
  const shared = new SharedReading<Reading>({ max: 10, ttl: 60_000 });
  const { waiting, read } = readings();
  const asked = Promise.allSettled([shared.of("a", read), shared.of("a", read)]);
  waiting[0]?.reject(new Error("away"));
  expect((await asked).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const next = shared.of("a", read);
  waiting[1]?.resolve({ nth: 1 });
  expect(await next).toEqual({ nth: 1 });
});

test("what is too large to keep is still given", async () => {
  const shared = new SharedReading<Reading>({ maxSize: 5, sizeCalculation: () => 10 });
  expect(await shared.of("a", () => Promise.resolve({ nth: 0 }))).toEqual({ nth: 0 });
  expect(await shared.of("a", () => Promise.resolve({ nth: 1 }))).toEqual({ nth: 1 });
});
