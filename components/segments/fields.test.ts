import { describe, expect, it } from "vitest";
import {
  segmentFieldKinds,
  segmentFilter,
  type SegmentField,
  type SegmentFilter,
} from "@/lib/domain/segments/schema";
import { choiceOf, choicesFor, newCondition, openPlaces, readValue, withChoice } from "./fields";

const fieldOf: Record<SegmentField["kind"], string> = {
  text: "email",
  number: "data.seats",
  boolean: "data.paid",
  date: "lastOpenedAt",
  members: "tags",
  list: "list",
  count: "openedEmails",
  outcome: "campaign.cmp_01kat4rz8sfq3v6d1mpx3k6w9j",
};
const valueOf = { list: "lst_01kat4rz8hfd2b7z1cm4x5n8qk", outcome: "opened" };

describe("what the builder offers", () => {
  it.each(segmentFieldKinds)("is what a filter takes: %s", (kind) => {
    const field = fieldOf[kind];
    const value = valueOf[kind as keyof typeof valueOf] ?? "2026-01-01";
    const begun = newCondition({ field, kind, values: [{ value }] });
    for (const { value: choice } of choicesFor({ field, kind }, choiceOf(begun))) {
      const condition = withChoice({ field, op: "eq", value }, choice);
      expect(choiceOf(condition)).toBe(choice);
      expect(openPlaces({ and: [condition] })).toEqual([]);
      expect(segmentFilter.safeParse({ and: [condition] }).error?.issues).toBeUndefined();
    }
  });

  it("keeps an operator that another program chose", () => {
    const offered = choicesFor({ field: "tags", kind: "members" }, "eq");
    expect(offered.at(-1)).toEqual({ value: "eq", label: "is exactly" });
  });

  it("keeps the value where it fits the next operator", () => {
    const condition = { field: "data.plan", op: "eq", value: "pro" } as const;
    expect(withChoice(condition, "in")).toEqual({ field: "data.plan", op: "in", value: ["pro"] });
    expect(withChoice(withChoice(condition, "in"), "neq")).toEqual({ ...condition, op: "neq" });
    expect(withChoice(withChoice(condition, "missing"), "eq")).toEqual({ ...condition, value: "" });
  });
});

it("keeps a period among the operators that take one, and begins with 30 days", () => {
  const before: SegmentFilter = { field: "createdAt", op: "gt", value: "2026-01-01" };
  const recent = withChoice(before, "in_last");
  expect(recent).toEqual({ field: "createdAt", op: "in_last", days: 30 });
  expect(withChoice({ ...recent, days: 7 }, "before_last")).toMatchObject({ days: 7 });
  const inHours: SegmentFilter = { field: "createdAt", op: "in_last", hours: 12 };
  expect(withChoice(inHours, "not_in_last")).toEqual({ ...inHours, op: "not_in_last" });
  expect(withChoice(recent, "gt")).toEqual({ ...before, value: "" });
  expect(openPlaces({ and: [recent, { ...inHours, hours: undefined }] })).toEqual([
    "filter.and[1].hours",
  ]);
});

it("finds the conditions that are not filled in", () => {
  const open = { field: "email", op: "eq", value: "" } as const;
  const none: SegmentFilter = { field: "email", op: "in", value: [] };
  expect(openPlaces({ and: [open, { or: [{ field: "tags", op: "exists" }, none] }] })).toEqual([
    "filter.and[0].value",
    "filter.and[1].or[1].value",
  ]);
});

it("reads a number where the field holds numbers", () => {
  expect(readValue("number", "4.5")).toBe(4.5);
  expect(readValue("number", "4.5.")).toBe("4.5.");
  expect(readValue("number", " ")).toBe(" ");
  expect(readValue("text", "4")).toBe("4");
});
