import { expect, test } from "vitest";
import { blocksInput, designInput } from "./field";

const divider = { type: "divider" };
const many = (count: number, item: unknown) => Array.from({ length: count }, () => item);
const faultsOf = (schema: typeof blocksInput | typeof designInput, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
const designOf = (content: unknown) => ({ type: "doc", attrs: { theme: {} }, content });
const condition = (content: unknown[]) => ({
  type: "condition",
  attrs: { field: "plan", operator: "present" },
  content,
});

test("a design is read however many blocks it has room for", () => {
  const section = {
    type: "section",
    attrs: { background: "#ffffff" },
    content: many(100, divider),
  };
  expect(faultsOf(designInput, designOf(many(200, section)))).toBeUndefined();
});

test.each([
  ["a list", many(60_000, {})],
  ["a list of numbers", many(60_000, 1)],
  ["lists in lists", many(200, condition(many(300, {})))],
])("%s that no email needs is refused as one, not item by item", (_, content) => {
  expect(faultsOf(designInput, designOf(content))).toEqual([": holds more than 50,000 values"]);
});

test("blocks that nobody could keep are refused as one", () => {
  const nested = [condition(many(60_000, {}))];
  expect(faultsOf(blocksInput, nested)).toEqual([": holds more than 50,000 values"]);
  const long = [{ type: "html", attrs: { html: "x".repeat(50_000), size: 1 } }];
  expect(faultsOf(blocksInput, long)).toEqual([": is larger than 50,000 characters of JSON"]);
});
