import { Liquid } from "liquidjs";
import { describe, expect, it } from "vitest";
import { bulkActions } from "@/db/enums";
import type { BulkChange } from "@/lib/domain/contact-fields/schema";
import {
  changeWords,
  isBehind,
  isUnderWay,
  peopleWords,
  resultWords,
  placeholderOf,
  underWayWords,
} from "./words";

describe("a field's placeholder", () => {
  it.each(["plan", "first_order", "favourite colour", "7", "größe", 'size "EU"', "it's"])(
    "is what a template reads its value by: %s",
    async (key) => {
      const liquid = new Liquid();
      const written = placeholderOf(key) ?? "";
      expect(await liquid.parseAndRender(written, { data: { [key]: "its value" } })).toBe(
        "its value",
      );
    },
  );

  it("is missing where no template can name the key", () => {
    expect(placeholderOf(`a "quoted" key that's odd`)).toBeNull();
  });
});

const change: BulkChange = {
  id: "bch_01kat4rz8sfq3v6d1mpx3k6w9j",
  action: "rename_field",
  name: "plan",
  newName: "tier",
  listId: null,
  status: "COMPLETED",
  progress: 1,
  total: 6,
  processed: 6,
  changed: 3,
  refused: {},
  undoable: false,
  failureReason: null,
  createdAt: "2026-11-21T09:30:00.000Z",
  finishedAt: "2026-11-21T09:31:00.000Z",
};

describe("a change", () => {
  const nameless: readonly string[] = ["unsubscribe", "delete"];
  const named = bulkActions.filter((action) => !nameless.includes(action));
  it.each(named)("is told with its names: %s", (action) => {
    const newName = action.startsWith("rename") ? "tier" : null;
    for (const sentence of [changeWords, underWayWords].map((words) =>
      words({ action, name: "plan", newName }),
    )) {
      expect(sentence).toContain(newName === null ? "plan" : "plan to tier");
      expect(sentence).not.toContain("null");
    }
  });

  it("is under way until it has ended", () => {
    expect(isUnderWay({ status: "PENDING" })).toBe(true);
    expect(isUnderWay({ status: "RUNNING" })).toBe(true);
    expect(isUnderWay({ status: "COMPLETED" })).toBe(false);
    expect(isUnderWay({ status: "FAILED" })).toBe(false);
  });

  it("says what it did, and whom it passed over and why", () => {
    const tagged = { action: "tag", refused: {} } as const;
    expect(resultWords({ ...tagged, changed: 1, processed: 1 })).toBe("1 person changed.");
    expect(
      resultWords({
        ...tagged,
        changed: 1200,
        processed: 1244,
        refused: { gone: 1, leftList: 3 },
      }),
    ).toBe(
      "1,200 people changed. 40 people were so already. Passed over: 1 person deleted meanwhile, 3 people who left the list before.",
    );
  });

  it.each(["rename_field", "remove_field", "rename_tag", "remove_tag"] as const)(
    "does not count everybody it looked at as somebody it was about: %s",
    (action) => {
      // All of a project's contacts are looked at, by a rename twice.
      const result = { action, changed: 240, processed: 4_000, refused: {} };
      expect(resultWords(result)).toBe("240 people changed.");
    },
  );

  it("leaves figures from before it behind", () => {
    expect(isBehind("2026-11-21T09:30:59.000Z", [change])).toBe(true);
    expect(isBehind("2026-11-21T09:31:01.000Z", [change])).toBe(false);
    expect(isBehind("2026-11-21T09:30:59.000Z", [])).toBe(false);
    expect(isBehind(null, [])).toBe(true);
  });
});

describe("whom a change is about", () => {
  it("says what becomes of those who have both", () => {
    expect(peopleWords("field", { contacts: 0, both: 0 }, "tier")).toBe("Nobody has this field.");
    expect(peopleWords("tag", { contacts: 1, both: 0 }, null)).toBe("1 person has this tag.");
    expect(peopleWords("field", { contacts: 1200, both: 12 }, "tier")).toBe(
      "1,200 people have this field. 12 people have tier as well and keep the value of tier, and the other one is lost.",
    );
    expect(peopleWords("tag", { contacts: 2, both: 1 }, "vip")).toBe(
      "2 people have this tag. 1 person has vip as well and keeps vip.",
    );
  });
});
