import { describe, expect, it } from "vitest";
import { expectedEnd } from "./forecast";
import type { WarmupRow } from "./plan";

const plan: WarmupRow = {
  domainId: "",
  projectId: "",
  enabled: true,
  schedule: [100, 200, 400],
  startedOn: "2026-11-22",
  lag: 0,
  slowed: 0,
  slowedReason: null,
  slowedMessage: null,
  slowedAt: null,
  rolledOn: "2026-11-22",
  enabledAt: new Date("2026-11-22T00:00:00Z"),
  updatedAt: null,
};
const none = { transactional: 0, campaigns: 0 };
const usage = (leftToday: number, leftThisHour: number) => ({
  ...{ today: none, hour: none, underWay: 0, later: 0 },
  ...{ leftToday, leftThisHour, leftNow: leftThisHour },
});
const at = new Date("2026-11-22T10:20:00Z");

describe("the expected end", () => {
  it.each([
    ["within the hour", 10, usage(100, 10), 0, "2026-11-22T11:00"],
    ["hour by hour on the same day", 35, usage(100, 10), 0, "2026-11-22T14:00"],
    ["on the next day", 150, usage(100, 10), 0, "2026-11-23T03:00"],
    ["late in the day", 101, usage(100, 0), 0, "2026-11-23T01:00"],
    ["later where transactional mail takes its part", 290, usage(100, 10), 50, "2026-11-24T01:00"],
    ["when the plan has ended", 5_000, usage(100, 10), 0, "2026-11-25T01:00"],
    ["when today is used up", 20, usage(-5, 0), 0, "2026-11-23T01:00"],
  ])("is %s", (_, emails, used, transactional, end) => {
    const expected = expectedEnd(plan, at, { emails, usage: used, transactional });
    expect(expected?.toISOString().slice(0, 16)).toBe(end);
  });

  it("counts the days that a slowed plan takes to recover", () => {
    const slowed = { ...plan, slowed: 1, slowedAt: at };
    const later = expectedEnd(slowed, at, { emails: 300, usage: usage(50, 5), transactional: 0 });
    // 50 today and tomorrow, then 100, then 200.
    expect(later?.toISOString().slice(0, 16)).toBe("2026-11-25T05:00");
  });

  it("is not known while transactional mail takes all of it", () => {
    const long = { ...plan, schedule: Array.from({ length: 1_200 }, () => 100) };
    const options = { emails: 300, usage: usage(0, 0), transactional: 100 };
    expect(expectedEnd(long, at, options)).toBeNull();
  });
});
