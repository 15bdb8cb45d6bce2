import { describe, expect, test } from "vitest";
import { conflictingFields } from "@/components/form/merge";
import type { Contact } from "@/lib/domain/contacts/schema";
import { changesOf, draftOf, draftWith, fieldsOf, labelOf, writtenFields } from "./contact-changes";

const contact: Contact = {
  id: "con_1",
  email: "ada@example.com",
  firstName: "Ada",
  lastName: "",
  subscribed: true,
  tags: ["vip"],
  data: { plan: "pro", seats: 3 },
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
};

const theirs: Contact = {
  ...contact,
  lastName: "King",
  data: { plan: "team", seats: 3, city: "Bonn" },
};

/** The fields in conflict when `draft` was begun on `contact` and `theirs` is there by now. */
function conflicts(draft: ReturnType<typeof draftOf>, there = theirs) {
  const base = fieldsOf(contact);
  const mine = { ...base, ...writtenFields(changesOf(contact, draft)) };
  return conflictingFields(base, fieldsOf(there), mine);
}

describe("two writers of one contact", () => {
  test("do not meet in different fields, nor in different attributes", () => {
    const draft = { ...draftOf(contact), firstName: "Augusta", tags: ["vip", "poet"] };
    expect(conflicts(draft)).toEqual([]);
    const rows = [
      { key: "plan", text: "pro" },
      { key: "seats", text: "4" },
    ];
    expect(conflicts({ ...draftOf(contact), rows })).toEqual([]);
  });

  test("meet in the same field or attribute, one of them taking it away included", () => {
    const rows = [
      { key: "plan", text: "free" },
      { key: "seats", text: "3" },
    ];
    expect(conflicts({ ...draftOf(contact), lastName: "Byron", rows })).toEqual([
      "lastName",
      "data.plan",
    ]);
    expect(conflicts({ ...draftOf(contact), rows: [{ key: "seats", text: "3" }] })).toEqual([
      "data.plan",
    ]);
    const without = { ...contact, data: { seats: 3 } };
    expect(conflicts({ ...draftOf(contact), rows }, without)).toEqual(["data.plan"]);
    expect(
      conflicts({ ...draftOf(contact), rows: [{ key: "seats", text: "3" }] }, without),
    ).toEqual([]);
  });

  test("keep what the other one wrote, and of what both did, what was chosen", () => {
    const rows = [{ key: "plan", text: "free" }];
    const mine = changesOf(contact, {
      ...draftOf(contact),
      firstName: "Augusta",
      lastName: "Byron",
      rows,
    });
    expect(draftWith(theirs, mine)).toMatchObject({
      firstName: "Augusta",
      lastName: "Byron",
      rows: [
        { key: "plan", text: "free" },
        { key: "city", text: "Bonn" },
      ],
    });
    expect(draftWith(theirs, mine, ["lastName", "data.plan"])).toMatchObject({
      firstName: "Augusta",
      lastName: "King",
      rows: [
        { key: "plan", text: "team" },
        { key: "city", text: "Bonn" },
      ],
    });
  });
});

test("a field is named as the form names it", () => {
  expect(["tags", "data.plan"].map(labelOf)).toEqual(["Tags", "plan"]);
});
