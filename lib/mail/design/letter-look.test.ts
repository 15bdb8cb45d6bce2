import { expect, test } from "vitest";
import { contrast } from "./colours";
import { letterLook } from "./letter-look";

test("without a brand there is no look of its own", () => {
  expect(letterLook(null)).toBeUndefined();
});

test.each([
  [{ text: "#eeeeee", sheet: "#ffffff", accent: "#ffee00", onAccent: "#ffffff" }],
  [{ text: "#333333", sheet: "#101010", accent: "#202020", onAccent: "#000000" }],
  [{ text: "#26211c", sheet: "#ffffff", accent: "#7a1fa2", onAccent: "#ffffff" }],
])("every text is readable on its ground in %j", (theme) => {
  const look = letterLook({ theme });
  if (!look) throw new Error("There is no look.");
  for (const colour of [look.text, look.quiet, look.link, look.name]) {
    expect(contrast(colour, look.sheet)).toBeGreaterThanOrEqual(4.5);
  }
  expect(contrast(look.button.color, look.button.background)).toBeGreaterThanOrEqual(3);
});

test("a logo fits the letter", () => {
  const logo = { src: "https://example.com/logo.png", alt: "Example" };
  expect(letterLook({ theme: {}, logo })?.logo).toEqual({ ...logo, width: 416 });
  expect(letterLook({ theme: {}, logo: { ...logo, width: 120 } })?.logo?.width).toBe(120);
});
