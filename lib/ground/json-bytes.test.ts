import { expect, it } from "vitest";
import { jsonBytes } from "./json-bytes";

it.each<[string, unknown, least: number, most: number]>([
  ["a long text", { x: "x".repeat(100_000) }, 200_000, 400_000],
  ["empty objects", { x: Array.from({ length: 10_000 }, () => ({})) }, 480_000, 600_000],
  [
    "keys",
    Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, 1])),
    640_000,
    1_200_000,
  ],
  ["nothing", null, 0, 100],
  ["arrays in arrays", JSON.parse("[".repeat(1_000) + "]".repeat(1_000)), 48_000, 60_000],
])("counts what %s takes in memory, not its text", (_, value, least, most) => {
  expect(jsonBytes(value)).toBeGreaterThanOrEqual(least);
  expect(jsonBytes(value)).toBeLessThanOrEqual(most);
});
