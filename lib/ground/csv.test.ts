import { expect, it } from "vitest";
import { cpuMilliseconds } from "@/lib/testing/cpu-time";
import { csvLines, originalCell, safeCell } from "./csv";

it.each([
  ["=1+1", "'=1+1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["-x", "'-x"],
  ["+", "'+"],
  ["-12.5", "-12.5"],
  ["+49 (30) 1-2", "+49 (30) 1-2"],
  ["plain", "plain"],
])("the cell %s is written as %s, and read again as it was", (text, cell) => {
  expect(safeCell(text)).toBe(cell);
  expect(originalCell(cell)).toBe(text);
});

it.each([
  ["digits", `+${"1".repeat(1_000_000)}x`],
  ["blanks", `-${" ".repeat(1_000_000)}`],
  ["signs", `=${"-".repeat(1_000_000)}`],
])("a megabyte of %s is written in a moment", (_, text) => {
  const cost = cpuMilliseconds(() => {
    expect(csvLines([[text]]).length).toBeGreaterThan(1_000_000);
  });
  expect(cost).toBeLessThan(500);
});
