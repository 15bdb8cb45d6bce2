import { expect, test } from "vitest";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import { conditionWords } from "./condition-words";

test.each<[SegmentFilter, unknown, string]>([
  [
    { field: "createdAt", op: "in_last", days: 30 },
    "2026-01-01T00:00:00.000Z",
    "The time they were added must be in the last 30 days, and is “2026-01-01T00:00:00.000Z”.",
  ],
  [
    { field: "lastOpenedAt", op: "before_last", hours: 1 },
    null,
    "The time they last opened an email must be more than 1 hour ago, and there is none.",
  ],
  [
    { field: "data.since", op: "not_in_last", days: 1 },
    "2026-01-01",
    "data.since must not be in the last day, and is “2026-01-01”.",
  ],
  [
    { field: "email", op: "ends_with", value: "@b.org" },
    "a@a.org",
    "The address must end with “@b.org”, and is “a@a.org”.",
  ],
])("a condition that somebody fails is told in a sentence: %j", (condition, actual, words) => {
  expect(conditionWords(condition, actual, () => "")).toBe(words);
});
