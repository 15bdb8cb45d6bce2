import { expect, test } from "vitest";
import { boundsOf, calendarMonth, monthAfter, weeksOf } from "./calendar-schema";

const entry = (id: string, at: string) => ({
  ...{ id, name: id, subject: "", status: "SENT" as const, at },
});
const daysOf = (month: string, timeZone: string, ...entries: ReturnType<typeof entry>[]) =>
  weeksOf({ month, data: entries, complete: true }, timeZone).flat();

test("weeks begin on Monday and hold the whole month", () => {
  for (const [month, first, last, weeks] of [
    ["2026-11", "2026-10-26", "2026-12-06", 6],
    ["2027-02", "2027-02-01", "2027-02-28", 4],
    ["2028-02", "2028-01-31", "2028-03-05", 5],
  ] as const) {
    const days = daysOf(month, "UTC");
    expect([days[0]?.date, days.at(-1)?.date, days.length / 7]).toEqual([first, last, weeks]);
    expect(new Set(days.map(({ date }) => date)).size).toBe(days.length);
  }
});

test("a campaign is on the day that it is for the reader, also at the ends of the month", () => {
  const late = entry("late", "2026-10-31T23:30:00.000Z");
  const dst = entry("dst", "2026-03-29T22:30:00.000Z");
  const on = (days: ReturnType<typeof daysOf>) =>
    days.filter(({ entries }) => entries.length > 0).map(({ date }) => date);
  expect(on(daysOf("2026-11", "Europe/Berlin", late))).toEqual(["2026-11-01"]);
  expect(on(daysOf("2026-11", "America/New_York", late))).toEqual([]);
  expect(on(daysOf("2026-10", "America/New_York", late))).toEqual(["2026-10-31"]);
  expect(on(daysOf("2026-03", "Europe/Berlin", dst))).toEqual(["2026-03-30"]);
});

test("what is read holds a month's days in any zone", () => {
  const { from, to } = boundsOf("2026-12");
  expect([from.toISOString(), to.toISOString()]).toEqual([
    "2026-11-30T10:00:00.000Z",
    "2027-01-01T14:00:00.000Z",
  ]);
  expect(daysOf("2026-12", "Pacific/Kiritimati", entry("a", from.toISOString()))[1]).toMatchObject({
    date: "2026-12-01",
    entries: [{ id: "a" }],
  });
});

test("months follow each other over the end of the year", () => {
  expect([monthAfter("2026-12", 1), monthAfter("2027-01", -1)]).toEqual(["2027-01", "2026-12"]);
  for (const wrong of ["2026-13", "2026-1", "1999-01", "2026-11-01", ""])
    expect(calendarMonth.safeParse(wrong).success).toBe(false);
});
