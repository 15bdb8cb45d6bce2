import { expect, test } from "vitest";
import { hasFigures, peakOf, totalsOf } from "./chart-words";

const bars = [
  { key: "opened", label: "Opened", swatch: "" },
  { key: "clicked", label: "Clicked", swatch: "" },
] as const;
const buckets = [
  { at: "2026-11-21T00:00:00.000Z", opened: 1200, clicked: 30 },
  { at: "2026-11-22T00:00:00.000Z", opened: 1190, clicked: 900 },
  { at: "2026-11-23T00:00:00.000Z", opened: 1200, clicked: 0 },
];

test("the legend's totals are those of each kind of bar", () => {
  expect(totalsOf(bars, buckets)).toEqual([3590, 930]);
  expect(totalsOf(bars, [])).toEqual([0, 0]);
});

test("the highest bar is found: of several the first, and stacked ones as one", () => {
  expect(peakOf(bars, buckets, false)).toEqual({
    ...{ at: "2026-11-21T00:00:00.000Z", height: 1200, label: "Opened" },
  });
  expect(peakOf(bars, buckets, true)).toEqual({
    ...{ at: "2026-11-22T00:00:00.000Z", height: 2090, label: null },
  });
  expect(peakOf(bars, [], true)).toBeNull();
});

test("bars have figures on them as long as these have room", () => {
  expect(hasFigures(12, 2, false)).toBe(true);
  expect(hasFigures(13, 2, false)).toBe(false);
  expect(hasFigures(16, 3, true)).toBe(true);
  expect(hasFigures(30, 1, true)).toBe(false);
});
