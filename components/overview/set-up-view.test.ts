import { expect, test } from "vitest";
import { begunWay, parseSetUpView, setUpViewText } from "./set-up-view";

test.each([
  { way: null, folded: false },
  { way: null, folded: true },
  { way: "campaigns", folded: false },
  { way: "application", folded: true },
] as const)("a reader's view %j is read from the cookie as it was written", (view) => {
  expect(parseSetUpView(setUpViewText(view))).toEqual(view);
});

test("a cookie that says something else counts for nothing", () => {
  for (const value of [undefined, "", "nonsense", "campaign.fold"]) {
    expect(parseSetUpView(value)).toEqual({ way: null, folded: false });
  }
});

test("the way that was begun is the one to go on with, and nobody is taken for the other kind", () => {
  // Also where there is a key: the first start makes one for everybody.
  const nothing = { campaignId: null, firstEmailId: null, contacts: false, apiKey: true };
  expect(begunWay(nothing)).toBeNull();
  expect(begunWay({ ...nothing, contacts: true })).toBe("campaigns");
  const sent = { ...nothing, contacts: true, firstEmailId: "em_1" };
  expect(begunWay(sent)).toBe("application");
  expect(begunWay({ ...sent, campaignId: "cmp_1" })).toBe("campaigns");
});
