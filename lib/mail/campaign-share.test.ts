import { expect, test } from "vitest";
import { campaignShare } from "./campaign-share";

test("campaigns leave a tenth to other mail, one at least, unless there is but one", () => {
  expect([1, 2, 5, 6, 10, 11, 50].map(campaignShare)).toEqual([1, 1, 4, 5, 9, 9, 45]);
});
