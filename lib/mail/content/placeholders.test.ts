import { expect, test } from "vitest";
import { placeholdersIn } from "./placeholders";
import { cpuClock } from "@/lib/testing/cpu-time";

const names = (source: string) =>
  placeholdersIn(source, "html", "body").map(({ name, bare }) => (bare ? name : `(${name})`));

test("a template's placeholders are told from what it makes itself", () => {
  expect(
    names(
      "{{ contact.firstName }}{% for item in items %}{{ item.name }}{{ data.prices[item.id] }}{% endfor %}{% assign greeting = firstName | upcase %}{{ greeting }}{{ data['given name'] }}{% raw %}{{ shown }}{% endraw %}{% comment %}{{ said }}{% endcomment %}",
    ),
  ).toEqual(["contact.firstName", "(items)", "data.prices", "(firstName)", "data.given name"]);
});

test("one with a default, or that a condition asks for, prints something for everybody", () => {
  expect(
    names(
      "{{ firstName | default: 'you' }}{{ lastName | upcase }}{% if plan %}{{ plan }}{% endif %}{{ city }}",
    ),
  ).toEqual(["(firstName)", "lastName", "(plan)", "(plan)", "city"]);
});

test("each says where it stands, as an editor counts", () => {
  const source = "<p>\n  Dear {{ firstName }},\n\n{{ a }}{{ b }}</p>";
  expect(
    placeholdersIn(source, "html", "body").map(({ line, column, at, written }) => [
      line,
      column,
      source.slice(at, at + written.length),
    ]),
  ).toEqual([
    [2, 8, "{{ firstName }}"],
    [4, 1, "{{ a }}"],
    [4, 8, "{{ b }}"],
  ]);
});

test("ten thousand of them are bounded, in little time", () => {
  const source = `{{ a }}${" ".repeat(90)}\n`.repeat(9_999);
  const used = cpuClock();
  expect(placeholdersIn(source, "html", "body")).toHaveLength(500);
  expect(used()).toBeLessThan(5_000);
});
