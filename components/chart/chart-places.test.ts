import { expect, test } from "vitest";
import { endOf, everyNth, shiftOf } from "./chart-places";

test("as many times are written as there is room for, evenly", () => {
  expect([7, 12, 13, 24, 90, 365].map((buckets) => everyNth(buckets, 12))).toEqual([
    1, 1, 2, 2, 8, 31,
  ]);
});

test("a time stands below the middle of its bar, and within the chart", () => {
  expect(shiftOf(3, 7)).toEqual({ left: "50%", translate: "-50%" });
  expect(shiftOf(0, 7).translate).toBe("-50%");
  expect(shiftOf(0, 90).translate).toBe("-0%");
  expect(shiftOf(89, 90).translate).toBe("-100%");
});

test("what is told of a bar never leaves the chart", () => {
  expect([0, 6].map((index) => endOf(index, 7).translate)).toEqual(["-0%", "-100%"]);
  expect(endOf(0, 1)).toEqual({ left: "50%", translate: "-50%" });
});
