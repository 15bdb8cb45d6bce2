import { expect, test } from "vitest";
import { pacedWaiting } from "./pace";

const hour = 3_600_000;
const waiting = (hours: number | null) => ({
  reason: "warm_up" as const,
  message: "example.com is being warmed up.",
  expectedEndAt: hours === null ? null : new Date(Date.now() + hours * hour).toISOString(),
});
const hoursOf = (end: string | null | undefined) =>
  Math.round((Date.parse(end ?? "") - Date.now()) / hour);

test("a campaign that is warmed up ends no sooner than its project's pace lets it", () => {
  expect(hoursOf(pacedWaiting(waiting(5), 100, 2_000)?.expectedEndAt)).toBe(20);
  expect(hoursOf(pacedWaiting(waiting(50), 100, 2_000)?.expectedEndAt)).toBe(50);
});

test("without a pace, and where no end is known, nothing changes", () => {
  expect(hoursOf(pacedWaiting(waiting(5), null, 2_000)?.expectedEndAt)).toBe(5);
  expect(pacedWaiting(waiting(null), 100, 2_000)?.expectedEndAt).toBeNull();
  expect(pacedWaiting(null, 100, 2_000)).toBeNull();
});
