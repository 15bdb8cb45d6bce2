import { describe, expect, test } from "vitest";
import type { Consent, SubscriberStatus, SuppressionReason } from "@/db/enums";
import { planMerge, type Side } from "./plan";
import type { MergeInput } from "./schema";

function side(email: string, more: Partial<Side> = {}): Side {
  return {
    ...{ id: email, email, firstName: "", lastName: "", consent: "subscribed", tags: [], data: {} },
    ...{ pausedUntil: null, weekly: false, suppressed: null, members: [], topicsLeft: [] },
    ...more,
  };
}

const plan = (kept: Partial<Side>, other: Partial<Side>, fields: MergeInput["fields"] = {}) =>
  planMerge(side("kept@example.com", kept), side("other@example.com", other), {
    ...{ other: "other@example.com", fields },
  });

describe("nobody becomes reachable who had objected", () => {
  test.each<[Consent, Consent, Consent]>([
    ["subscribed", "subscribed", "subscribed"],
    ["subscribed", "never", "subscribed"],
    ["never", "subscribed", "subscribed"],
    ["never", "never", "never"],
    ["subscribed", "unsubscribed", "unsubscribed"],
    ["unsubscribed", "subscribed", "unsubscribed"],
    ["never", "unsubscribed", "unsubscribed"],
    ["unsubscribed", "never", "unsubscribed"],
    ["unsubscribed", "unsubscribed", "unsubscribed"],
  ])("%s and %s are %s, whichever address stays", (kept, other, consent) => {
    for (const email of ["contact", "other"] as const) {
      expect(plan({ consent: kept }, { consent: other }, { email }).consent).toBe(consent);
    }
  });

  test.each<[SuppressionReason | null, SuppressionReason | null, string | null, string | null]>([
    // Of the address that stays, of the other, what holds afterwards, what is carried over.
    [null, null, null, null],
    [null, "complaint", "complaint", "complaint"],
    [null, "manual", "manual", "manual"],
    ["complaint", null, "complaint", null],
    ["manual", "complaint", "manual", null],
    ["hard_bounce", "complaint", "complaint", "complaint"],
    // What is said of an address, and not by its person, stays with the address.
    [null, "hard_bounce", null, null],
    [null, "domain", null, null],
    ["hard_bounce", null, "hard_bounce", null],
    ["domain", "hard_bounce", "domain", null],
  ])("%s stays and %s leaves: %s", (stays, leaves, suppressed, carried) => {
    expect(plan({ suppressed: stays }, { suppressed: leaves })).toMatchObject({
      ...{ suppressed, carried },
    });
    const swapped = plan({ suppressed: leaves }, { suppressed: stays }, { email: "other" });
    expect(swapped).toMatchObject({ suppressed, carried, email: "other@example.com" });
  });

  test.each<[SubscriberStatus, SubscriberStatus, SubscriberStatus]>([
    ["subscribed", "subscribed", "subscribed"],
    // Who has not answered has not objected.
    ["subscribed", "unconfirmed", "subscribed"],
    ["unconfirmed", "subscribed", "unconfirmed"],
    ["bounced", "unconfirmed", "bounced"],
    ["subscribed", "unsubscribed", "unsubscribed"],
    ["unsubscribed", "subscribed", "unsubscribed"],
    ["unsubscribed", "complained", "complained"],
    ["complained", "bounced", "complained"],
    ["bounced", "subscribed", "bounced"],
    // It bounced where nothing is sent any more.
    ["subscribed", "bounced", "subscribed"],
  ])("on a list, %s where it stays and %s where it leaves is %s", (stays, leaves, status) => {
    const member = (of: SubscriberStatus) => ({
      members: [{ id: of, listId: "list", list: "News", status: of, fields: {} }],
    });
    expect(plan(member(stays), member(leaves)).members).toMatchObject([{ status }]);
    const swapped = plan(member(leaves), member(stays), { email: "other" });
    expect(swapped.members).toMatchObject([{ status }]);
  });

  test("topics, the longer break and the rarer mail hold", () => {
    const [soon, late] = [new Date("2030-01-01"), new Date("2031-01-01")];
    const [news, offers] = ["news", "offers"].map((id) => ({ id, name: id })) as [
      { id: string; name: string },
      { id: string; name: string },
    ];
    const merged = plan(
      { pausedUntil: late, topicsLeft: [news] },
      { pausedUntil: soon, weekly: true, topicsLeft: [news, offers] },
    );
    expect(merged).toMatchObject({ pausedUntil: late, weekly: true, topicsLeft: [news, offers] });
    expect(plan({}, { pausedUntil: soon }).pausedUntil).toBe(soon);
  });
});

describe("fields", () => {
  const kept = { firstName: "Ada", tags: ["a", "b"], data: { plan: "free", only: 1 } };
  const other = {
    firstName: "A.",
    lastName: "King",
    tags: ["b", "c"],
    data: { plan: "pro", age: 3 },
  };

  test("are the kept contact's where it has one, tags and attributes of both", () => {
    expect(plan(kept, other)).toMatchObject({
      ...{ email: "kept@example.com", formerEmail: "other@example.com" },
      ...{ firstName: "Ada", lastName: "King", tags: ["a", "b", "c"] },
      data: { plan: "free", only: 1, age: 3 },
    });
  });

  test("can be chosen one by one", () => {
    const fields = { email: "other", lastName: "contact", data: { plan: "other" } } as const;
    expect(plan(kept, other, fields)).toMatchObject({
      ...{ email: "other@example.com", formerEmail: "kept@example.com" },
      ...{ firstName: "Ada", lastName: "", data: { plan: "pro", only: 1, age: 3 } },
    });
    expect(plan(kept, other, { data: { only: "other" } }).data).not.toHaveProperty("only");
  });

  test("of neither, and more than a contact may have, are refused by name", () => {
    const refused = (path: string) => ({ code: "VALIDATION_ERROR", details: [{ path }] });
    const faultOf = (run: () => unknown) => {
      try {
        return run();
      } catch (error) {
        return error;
      }
    };
    expect(faultOf(() => plan(kept, other, { data: { none: "other" } }))).toMatchObject(
      refused("fields.data.none"),
    );
    const tags = (name: string) => Array.from({ length: 60 }, (_, index) => `${name}${index}`);
    expect(faultOf(() => plan({ tags: tags("a") }, { tags: tags("b") }))).toMatchObject(
      refused("other"),
    );
    const data = (name: string) => ({ data: { [name]: "x".repeat(40_000) } });
    expect(faultOf(() => plan(data("a"), data("b")))).toMatchObject(refused("other"));
  });
});
