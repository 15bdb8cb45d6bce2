import { expect, test } from "vitest";
import { firstDayOf } from "@/lib/domain/departures/schema";
import { daysSince } from "./departure-words";

const now = Date.parse("2026-03-30T01:30:00Z");

test("each day of the period has a bar, those on which nobody left and the current one too", () => {
  const first = firstDayOf("30d", now);
  expect(first).toBe("2026-03-01");
  const left = { day: "2026-03-29", everything: 2, list: 1, topic: 0 };
  const buckets = daysSince(first, [left], now);
  expect(buckets).toHaveLength(30);
  expect(buckets.at(-2)).toEqual({
    ...{ at: "2026-03-29T00:00:00.000Z", everything: 2, list: 1, topic: 0 },
  });
  expect(buckets.at(-1)).toMatchObject({ at: "2026-03-30T00:00:00.000Z", everything: 0 });
});
