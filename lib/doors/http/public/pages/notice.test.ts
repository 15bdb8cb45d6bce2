import { describe, expect, test } from "vitest";
import type { Preferences } from "@/lib/domain/opt-outs/schema";
import { textsFor } from "@/lib/ground/texts/texts";
import { noticeOf } from "./notice";

const preferences: Preferences = {
  brand: { project: "Acme", color: null, language: "en", postalAddress: "" },
  person: null,
  email: "ada@example.com",
  consent: "subscribed",
  blocked: null,
  lists: [
    { id: "lst_1", name: "News", status: "unsubscribed", linked: true },
    { id: "lst_2", name: "Offers", status: "subscribed", linked: false },
  ],
};
const english = textsFor("en");
const notice = (done: string | null, list: string | null = null) =>
  noticeOf(preferences, { unsubscribe: false, done, list }, english);

describe("what the page says has happened", () => {
  test("is what is so", () => {
    expect(notice("leave", "lst_1")).toContain("You have been unsubscribed from News");
    expect(notice("join", "lst_2")).toContain("subscribed to Offers again");
    expect(notice("return")).toContain("Welcome back");
    expect(
      noticeOf(
        { ...preferences, consent: "unsubscribed" },
        { unsubscribe: false, done: "leave-all", list: null },
        english,
      ),
    ).toContain("no more newsletters");
  });

  test("is nothing that an address merely claims", () => {
    for (const list of ["lst_2", "lst_9", null]) expect(notice("leave", list)).toBeNull();
    expect(notice("join", "lst_1")).toBeNull();
    expect(notice("leave-all")).toBeNull();
    const blocked = { ...preferences, blocked: "complaint" as const };
    for (const done of ["return", "join"]) {
      expect(noticeOf(blocked, { unsubscribe: false, done, list: "lst_2" }, english)).toBeNull();
    }
    expect(notice("anything")).toBeNull();
    expect(notice(null)).toBeNull();
  });
});
