import { expect, test } from "vitest";
import { consentOrigins } from "@/db/enums";
import type { SubscriptionChange } from "@/lib/domain/contacts/schema";
import { byWords, changeWords } from "./subscription-words";

const change = (part: Partial<SubscriptionChange>): SubscriptionChange => ({
  ...{ before: "subscribed", after: "unsubscribed", list: null, emailId: null, importId: null },
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
