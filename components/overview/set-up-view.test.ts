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

test("the way that was begun is the one to go on with", () => {
  const nothing = { campaignId: null, firstEmailId: null, contacts: false, apiKey: false };
  expect(begunWay(nothing)).toBe("campaigns");
  expect(begunWay({ ...nothing, contacts: true })).toBe("campaigns");
  expect(begunWay({ ...nothing, apiKey: true })).toBe("application");
  // The first start makes a key for everybody.
  expect(begunWay({ ...nothing, apiKey: true, contacts: true })).toBe("campaigns");
  const sent = { ...nothing, apiKey: true, contacts: true, firstEmailId: "em_1" };
  expect(begunWay(sent)).toBe("application");
  expect(begunWay({ ...sent, campaignId: "cmp_1" })).toBe("campaigns");
});
