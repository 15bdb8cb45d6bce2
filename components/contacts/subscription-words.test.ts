import { expect, test } from "vitest";
import { consentOrigins } from "@/db/enums";
import type { SubscriptionChange } from "@/lib/domain/contacts/schema";
import { byWords, changeWords, formsIn, reasonWords } from "./subscription-words";

const change = (part: Partial<SubscriptionChange>): SubscriptionChange => ({
  ...{ kind: "subscription", topic: null, until: null, reason: null, comment: null },
  ...{ text: null, ipAddress: null, userAgent: null },
  ...{
    before: "subscribed",
    after: "unsubscribed",
    list: null,
    emailId: null,
    importId: null,
    form: null,
  },
  by: { type: "user", id: "usr_1", name: "ada@example.com" },
  createdAt: "2026-11-21T09:30:00.000Z",
  ...part,
});

test.each([
  [{ before: null, after: "subscribed" }, "Added as subscribed"],
  [{ before: "never", after: "subscribed" }, "Subscribed"],
  [{ before: "unsubscribed", after: "subscribed" }, "Subscribed again"],
  [{}, "Unsubscribed"],
  [{ before: null, after: "unconfirmed", list: "News" }, "Asked to confirm the list News"],
  [{ before: "unconfirmed", after: "subscribed", list: "News" }, "Confirmed the list News"],
  [{ before: null, after: "subscribed", list: "News" }, "Joined the list News"],
  [
    { before: "unsubscribed", after: "subscribed", list: null, gone: true },
    "Came back to a deleted list",
  ],
  [{ list: "News" }, "Left the list News"],
] as const)("%o reads %s", (part, words) => {
  const { list, gone, ...rest } = { list: null, gone: false, ...part };
  const named = list === null && !gone ? null : { id: "lst_1", name: list };
  expect(changeWords(change({ ...rest, list: named }))).toBe(words);
});

test.each([...consentOrigins])("by %s reads as who did it, named or not", (type) => {
  for (const name of ["Somebody", null]) {
    expect(byWords(change({ by: { type, id: null, name } }))).toMatch(
      /^(by|because) [^{}]+[^\s{}]$/,
    );
  }
});

test("choices beside subscribing have words of their own, and why somebody left has too", () => {
  const topic = { kind: "topic", topic: { id: "top_1", name: "Events" } } as const;
  expect(changeWords(change(topic))).toBe("Left the topic Events");
  expect(changeWords(change({ ...topic, after: "subscribed" }))).toBe(
    "Came back to the topic Events",
  );
  const until = "2026-12-21T09:30:00.000Z";
  expect(changeWords(change({ kind: "pause", after: "paused", until }))).toBe(
    "Asked for a break until 2026-12-21",
  );
  expect(changeWords(change({ kind: "pause", after: "active" }))).toBe("Ended their break");
  expect(changeWords(change({ kind: "frequency", after: "weekly" }))).toMatch(
    /one campaign a week/,
  );
  expect(reasonWords(change({ reason: "too_often", comment: "Daily!" }))).toBe(
    "too many emails: “Daily!”",
  );
  expect(reasonWords(change({}))).toBeNull();
});

test("names the form that a person came by, and a deleted one as such", () => {
  const form = { id: "frm_1", name: "Footer" };
  const words = (type: "link" | "confirmation", name: string | null) =>
    byWords(change({ by: { type, id: null, name: null }, form: { ...form, name } }));
  expect(words("link", "Footer")).toBe("by the person, with the form Footer");
  expect(words("confirmation", "Footer")).toContain("the mail from the form Footer");
  expect(words("confirmation", null)).toContain("from a deleted form");
});

test("finds each form of a history once, the latest first", () => {
  const by = (id: string) => change({ form: { id, name: id } });
  expect(formsIn([by("b"), change({}), by("a"), by("b")]).map(({ id }) => id)).toEqual(["b", "a"]);
});
