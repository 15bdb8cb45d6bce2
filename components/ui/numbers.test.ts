import { expect, test } from "vitest";
import { compactCount, count, counted, finePercent, formatBytes, people, percent } from "./numbers";

test("numbers are written in one way wherever they stand", () => {
  expect([count(12_044), compactCount(12_044), percent(0.1239), finePercent(0.00079)]).toEqual([
    "12,044",
    "12k",
    "12.4%",
    "0.08%",
  ]);
});

test("a noun is in the number of its count", () => {
  expect([people(1), people(0), people(62_998)]).toEqual(["1 person", "0 people", "62,998 people"]);
  expect([counted(1, "contact"), counted(2, "contact")]).toEqual(["1 contact", "2 contacts"]);
});

test("sizes have the unit one thinks in", () => {
  expect([812, 14_336, 2_516_582].map(formatBytes)).toEqual(["812 B", "14 KB", "2.4 MB"]);
});
