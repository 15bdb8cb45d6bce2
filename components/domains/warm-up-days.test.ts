import { expect, test } from "vitest";
import type { Warmup } from "@/lib/domain/warm-up/schema";
import { steepDays, warmupDays } from "./warm-up-days";

const none = { bounced: 0, complained: 0, slowed: null };
const warmup: Warmup = {
  updatedAt: null,
  enabled: true,
  state: "warming",
  startedOn: "2026-11-21",
  day: 2,
  dailyCap: 250,
  schedule: [150, 250, 400],
  hourlyCap: 25,
  today: { transactional: 30, campaigns: 100 },
  remainingToday: 120,
  waiting: 900,
  slowed: null,
  slowedReceivers: [],
  endsOn: "2026-11-23",
  history: [
    { day: "2026-11-21", cap: 150, transactional: 40, campaigns: 110, ...none },
    { day: "2026-11-22", cap: 250, transactional: 30, campaigns: 100, ...none },
  ],
};

test("the chart shows what was sent, what is open today, and the days to come", () => {
  expect(warmupDays(warmup)).toEqual([
    { at: "2026-11-21T00:00:00.000Z", campaigns: 110, transactional: 40, open: 0 },
    { at: "2026-11-22T00:00:00.000Z", campaigns: 100, transactional: 30, open: 120 },
    { at: "2026-11-23T00:00:00.000Z", campaigns: 0, transactional: 0, open: 400 },
  ]);
});

test("a plan that has ended, or stands still, shows no days to come", () => {
  expect(warmupDays({ ...warmup, day: null, state: "done" })).toHaveLength(2);
  expect(warmupDays({ ...warmup, state: "slowed" })).toHaveLength(2);
});

test("only more than double is steep", () => {
  expect(steepDays([150, 300, 601, 100, 201])).toEqual([3, 5]);
});
