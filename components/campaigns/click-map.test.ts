import { expect, test } from "vitest";
import { badgeWords, clicksByAddress, plainAddress } from "./click-map";

test("a link is the same with and without what campaigns add to it", () => {
  expect(plainAddress("https://shop.example/?utm_source=a&x=1&utm_medium=b")).toBe(
    "https://shop.example/?x=1",
  );
  expect(plainAddress("https://shop.example/")).toBe(plainAddress("https://shop.example"));
  expect(plainAddress("{{ url }}")).toBe("{{ url }}");
});

test("clicks on one address are one figure, however it is written", () => {
  const clicks = clicksByAddress([
    { url: "https://shop.example/new?utm_source=news", clicks: 9, uniqueClicks: 5 },
    { url: "https://shop.example/new", clicks: 2, uniqueClicks: 2 },
    { url: "https://shop.example/old", clicks: 1, uniqueClicks: 1 },
  ]);
  expect([...clicks]).toEqual([
    ["https://shop.example/new", 7],
    ["https://shop.example/old", 1],
  ]);
});

test("a badge says how many, and which share of those who clicked at all", () => {
  expect(badgeWords(1204, 2408)).toBe("1,204 · 50%");
  expect(badgeWords(0, 0)).toBe("0 · 0%");
});
