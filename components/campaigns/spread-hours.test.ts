import { expect, test } from "vitest";
import { hoursBetween } from "./spread-hours";

test("hours in which nothing is due stand between the others", () => {
  expect(
    hoursBetween([
      { hour: "2026-11-20T22:00:00.000Z", sent: 5, waiting: 0 },
      { hour: "2026-11-21T01:00:00.000Z", sent: 0, waiting: 3 },
    ]),
  ).toEqual([
    { at: "2026-11-20T22:00:00.000Z", sent: 5, waiting: 0 },
    { at: "2026-11-20T23:00:00.000Z", sent: 0, waiting: 0 },
    { at: "2026-11-21T00:00:00.000Z", sent: 0, waiting: 0 },
    { at: "2026-11-21T01:00:00.000Z", sent: 0, waiting: 3 },
  ]);
  expect(hoursBetween([])).toEqual([]);
});
