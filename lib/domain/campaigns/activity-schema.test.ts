import { expect, test } from "vitest";
import { bucketsOf } from "./activity-schema";

const at = (hour: string, opened = 0, clicked = 0) => ({
  hour: `${hour}:00:00Z`,
  sent: 0,
  delivered: 0,
  opened,
  clicked,
});

test("nothing yet gives no bars", () => {
  expect(bucketsOf({ data: [] }).buckets).toEqual([]);
});

test("hours in between are there, and half a day at least", () => {
  const { hourly, buckets } = bucketsOf(
    { data: [at("2026-11-21T09", 3, 1), at("2026-11-21T12", 2)] },
    new Date("2026-11-22T12:00:00Z"),
  );
  expect(hourly).toBe(true);
  expect(buckets).toHaveLength(12);
  expect(buckets.slice(0, 4).map(({ opened }) => opened)).toEqual([3, 0, 0, 2]);
  expect(buckets[0]).toEqual({ at: "2026-11-21T09:00:00.000Z", opened: 3, clicked: 1 });
});

test("hours that are still to come are not among them", () => {
  const now = new Date("2026-11-21T10:20:00Z");
  const { buckets } = bucketsOf({ data: [at("2026-11-21T09", 3)] }, now);
  expect(buckets.map((bucket) => bucket.at)).toEqual([
    "2026-11-21T09:00:00.000Z",
    "2026-11-21T10:00:00.000Z",
  ]);
});

test("from the third day on it is days, each with the sum of its hours", () => {
  const { hourly, buckets } = bucketsOf({
    data: [at("2026-11-21T09", 3), at("2026-11-21T23", 4, 2), at("2026-11-25T00", 1)],
  });
  expect(hourly).toBe(false);
  expect(buckets.map(({ opened }) => opened)).toEqual([7, 0, 0, 0, 1]);
  expect(buckets[0]?.clicked).toBe(2);
});

test("an open after a year does not draw a year", () => {
  const { buckets } = bucketsOf({ data: [at("2026-01-01T00", 3), at("2026-12-31T00", 1)] });
  expect(buckets.length).toBeLessThanOrEqual(61);
});
