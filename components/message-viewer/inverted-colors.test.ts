import { expect, test } from "vitest";
import { invertedAttribute, invertedCss } from "./inverted-colors";

test.each([
  ["light backgrounds", "background-color:#ffffff", "background-color:#121212"],
  ["dark text", "color: black", "color: #ededed"],
  [
    "both, whatever else is said",
    "COLOR:#000;margin:0 auto;background:White url(a.png)",
    "COLOR:#ededed;margin:0 auto;background:#121212 url(a.png)",
  ],
  [
    "functions and opacity",
    "background:rgba(255, 255, 255, .5)",
    "background:rgba(18, 18, 18, 0.5)",
  ],
  ["hues stay", "color:hsl(210, 50%, 13%)", "color:#b9d1e8"],
  ["borders", "border-top:1px solid #eee", "border-top:1px solid #202020"],
  ["importance", "color:#111111 !important", "color:#dfdfdf !important"],
])("inverts %s", (_, css, dark) => {
  expect(invertedCss(css)).toBe(dark);
});

test.each([
  ["dark backgrounds", "background-color:#101010"],
  ["light text", "color:#fafafa"],
  ["strong colours", "background:#ff0000;color:yellow"],
  ["gradients", "background:linear-gradient(#fff, #eee)"],
  ["what a picture's address holds", "background:url(https://example.com/#fff/white.png)"],
  ["a picture's data", "background-image:url(data:image/png;base64,white)"],
  ["words of no colour", "background:transparent none;color:inherit;font:16px Black"],
  ["what is no colour", "color:#12345;background:rgb(a);color:var(--white-x)"],
  ["nothing", ""],
])("leaves %s", (_, css) => {
  expect(invertedCss(css)).toBe(css);
});

test("a style sheet's rules are inverted, its selectors are not", () => {
  const css =
    "a:hover,.white{color:#000}/* a */\n@media (max-width:600px){td{/* b */background:#fff}}";
  expect(invertedCss(css)).toBe(
    "a:hover,.white{color:#ededed}/* a */\n@media (max-width:600px){td{/* b */background:#121212}}",
  );
});

test.each([
  ["bgcolor", "#FFFFFF", "#121212"],
  ["BGCOLOR", "ffffff", "#121212"],
  ["bgcolor", "navy", "navy"],
  ["text", "black", "#ededed"],
  ["color", "#333333", "#c1c1c1"],
  ["link", "#ffffff", "#ffffff"],
  ["width", "600", "600"],
])("the attribute %s=%s becomes %s", (name, value, dark) => {
  expect(invertedAttribute(name, value)).toBe(dark);
});
