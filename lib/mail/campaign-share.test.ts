import { expect, test } from "vitest";
import { campaignShare } from "./campaign-share";

test("campaigns leave a tenth to other mail, where there is enough of it", () => {
  expect([1, 5, 6, 10, 11, 50].map(campaignShare)).toEqual([1, 5, 5, 9, 9, 45]);
});
