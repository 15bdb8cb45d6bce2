import { expect, test } from "vitest";
import { attributeChanges, attributeText, attributeValue } from "./attributes";

test("every value survives being shown and read back, text that looks like a number included", () => {
  const values = [
    "pro",
    "",
    " x ",
    "42",
    "true",
    "null",
    '"',
    42,
    -1.5,
    true,
    false,
    [1, "a"],
    { a: null },
  ];
  for (const value of values) expect(attributeValue(attributeText(value))).toEqual(value);
});

test("only what differs is sent, and a key that went is removed with null", () => {
  const before = { plan: "pro", seats: 5, old: true };
  expect(
    attributeChanges(before, [
      { key: "plan", text: "team" },
      { key: "seats", text: "5" },
      { key: " city ", text: "Wien" },
      { key: "", text: "nothing" },
    ]),
  ).toEqual({ plan: "team", city: "Wien", old: null });
  expect(
    attributeChanges(
      before,
      Object.entries(before).map(([key, value]) => ({ key, text: attributeText(value) })),
    ),
  ).toEqual({});
});
