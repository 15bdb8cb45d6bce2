import { expect, test } from "vitest";
import { everyDay } from "./every-day";

test("days without reports stand between those with, from the first day of the period to the last", () => {
  const days = [{ day: "2026-03-01", failed: 3 }];
  expect(everyDay({ from: "2026-02-28", to: "2026-03-02" }, days, { failed: 0 })).toEqual([
    { at: "2026-02-28T00:00:00.000Z", failed: 0 },
    { at: "2026-03-01T00:00:00.000Z", failed: 3 },
    { at: "2026-03-02T00:00:00.000Z", failed: 0 },
  ]);
});
