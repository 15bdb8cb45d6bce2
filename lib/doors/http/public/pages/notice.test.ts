import { describe, expect, test } from "vitest";
import type { Preferences } from "@/lib/domain/opt-outs/schema";
import { textsFor } from "@/lib/ground/texts/texts";
import { noticeOf } from "./notice";

const preferences: Preferences = {
  brand: {
    ...{ projectId: "", project: "Acme", color: null, mails: null },
    ...{ language: "en", postalAddress: "" },
  },
  person: null,
  email: "ada@example.com",
  firstName: "Ada",
  lastName: "",
  asked: [],
  moved: false,
  consent: "subscribed",
  blocked: null,
  lists: [
    { id: "lst_1", name: "News", status: "unsubscribed", linked: true },
    { id: "lst_2", name: "Offers", status: "subscribed", linked: false },
  ],
  topics: [
    { id: "top_1", name: "Events", description: "", left: true },
    { id: "top_2", name: "Prices", description: "", left: false },
  ],
  pausedUntil: null,
  weekly: false,
};
const english = textsFor("en");
const notice = (done: string | null, list: string | null = null, topic: string | null = null) =>
  noticeOf(preferences, { unsubscribe: false, done, list, topic, undo: null }, english);

describe("what the page says has happened", () => {
  test("is what is so", () => {
    expect(notice("leave", "lst_1")).toContain("You have been unsubscribed from News");
    expect(notice("join", "lst_2")).toContain("subscribed to Offers again");
    expect(notice("return")).toContain("Welcome back");
    expect(
      noticeOf(
        { ...preferences, consent: "unsubscribed" },
        { unsubscribe: false, done: "leave-all", list: null, topic: null, undo: null },
        english,
      ),
    ).toContain("no more newsletters");
  });

  test("is so of topics, breaks and how often", () => {
    expect(notice("leave-topic", null, "top_1")).toContain("no longer get emails about Events");
    expect(notice("leave-topic", null, "top_2")).toBeNull();
    expect(notice("join-topic", null, "top_2")).toContain("about Prices again");
    expect(notice("pause")).toBeNull();
    expect(notice("resume")).toContain("The break is over");
    expect(notice("weekly")).toBeNull();
    expect(notice("normal")).toContain("every newsletter again");
  });

  test("is nothing that an address merely claims", () => {
    for (const list of ["lst_2", "lst_9", null]) expect(notice("leave", list)).toBeNull();
    expect(notice("join", "lst_1")).toBeNull();
    expect(notice("leave-all")).toBeNull();
    const blocked = { ...preferences, blocked: "complaint" as const };
    for (const done of ["return", "join"]) {
      expect(
        noticeOf(
          blocked,
          { unsubscribe: false, done, list: "lst_2", topic: null, undo: null },
          english,
        ),
      ).toBeNull();
    }
    expect(notice("anything")).toBeNull();
    expect(notice(null)).toBeNull();
  });
});
