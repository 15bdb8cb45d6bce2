import { Text } from "@codemirror/state";
import { expect, test } from "vitest";
import { faultPlace, offsetOf } from "./place";

test("the place of a fault is read and found in the text", () => {
  const place = faultPlace("This is not a valid template: undefined filter: x, line 2, column 3.");
  expect(place).toEqual({ line: 2, column: 3 });
  expect(faultPlace("This is required.")).toBeNull();
  const text = Text.of(["<p>", "  {{ a | x }}</p>"]);
  expect(text.sliceString(offsetOf(text, place ?? { line: 1, column: 1 }))).toBe("{{ a | x }}</p>");
  expect(offsetOf(Text.of(["a"]), { line: 9, column: 9 })).toBe(1);
});
