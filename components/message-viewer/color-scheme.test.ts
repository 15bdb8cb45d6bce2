import { expect, test } from "vitest";
import { withScheme } from "./color-scheme";

const css =
  "p{x:y}@media screen and (PREFERS-color-scheme: Dark){p{x:z}}@media ( prefers-color-scheme:light ){b{x:y}}";

test("questions for the reader's preference are answered, and nothing else is changed", () => {
  expect(withScheme(css, "dark")).toBe(
    "p{x:y}@media screen and (min-width:0){p{x:z}}@media (min-width:1000000px){b{x:y}}",
  );
  expect(withScheme(css, "light")).toBe(
    "p{x:y}@media screen and (min-width:1000000px){p{x:z}}@media (min-width:0){b{x:y}}",
  );
  expect(withScheme("(max-width:600px)", "dark")).toBe("(max-width:600px)");
});
