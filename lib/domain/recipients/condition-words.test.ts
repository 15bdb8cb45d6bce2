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
  [
    { field: "openedEmails", op: "at_least", value: 3, days: 30, campaign: "cmp_1" },
    1,
    "They must have opened at least 3 emails of the campaign “Launch” in the last 30 days, and it is 1.",
  ],
  [
    { field: "sentEmails", op: "eq", value: 2, from: "2026-01-01", to: "2026-01-31" },
    0,
    "They must have been sent exactly 2 emails from 2026-01-01 to 2026-01-31, and it is none.",
  ],
  [
    { field: "bouncedEmails", op: "at_most", value: 0 },
    4,
    "They must have had no email bounce, and it is 4.",
  ],
])("a condition that somebody fails is told in a sentence: %j", (condition, actual, words) => {
  expect(conditionWords(condition, actual, () => "“Launch”")).toBe(words);
});
