import { describe, expect, test } from "vitest";
import { changeTitle, fieldChanges, timelineKind, timesWords } from "./timeline-words";

describe("a change in words", () => {
  test("names fields and attributes, with what they were and are", () => {
    const change = {
      before: { firstName: "", data: { plan: "free", old: 1 } },
      after: { firstName: "Ada", data: { plan: "pro", seats: 5 } },
      undoes: null,
    };
    expect(fieldChanges(change)).toEqual([
      { label: "First name", before: null, after: "Ada" },
      { label: "plan", before: "free", after: "pro" },
      { label: "old", before: "1", after: null },
      { label: "seats", before: null, after: "5" },
    ]);
    expect(changeTitle(change)).toBe("Changed 4 fields");
  });

  test("says of tags which came and which went", () => {
    const change = { before: { tags: ["a", "b"] }, after: { tags: ["b", "c"] }, undoes: null };
    expect(fieldChanges(change)).toEqual([
      { label: "Tags added", before: null, after: "c" },
      { label: "Tags removed", before: "a", after: null },
    ]);
    expect(changeTitle(change)).toBe("Changed tags");
    expect(changeTitle({ ...change, undoes: "chg_1" })).toBe("Undid a change of tags");
    const mixed = {
      before: { tags: ["a"], data: {} },
      after: { tags: ["b"], data: { plan: "pro" } },
      undoes: null,
    };
    expect(changeTitle(mixed)).toBe("Changed tags and plan");
    const turned = { before: { tags: ["a", "b"] }, after: { tags: ["b", "a"] }, undoes: null };
    expect(changeTitle(turned)).toBe("Put the tags in another order");
  });

  test("tells how often, from the second time on", () => {
    expect([undefined, 1, 2, 5].map((times) => timesWords(times))).toEqual([
      "",
      "",
      "twice",
      "5 times",
    ]);
  });
});

test("a contact's address narrows the timeline to a kind that there is", () => {
  expect(timelineKind("consent")).toBe("consent");
  for (const other of ["", "nothing", "emails,lists", "toString", null, undefined]) {
    expect(timelineKind(other)).toBe(null);
  }
});
