import { describe, expect, test } from "vitest";
import { findTextFaults } from "./text-faults";

const en = {
  code: "en",
  messages: { "a.b": "Hello {name}", "a.c": "{n, plural, one {#} other {#}}" },
};
const source = `text("a.b"); text(\`a.\${which}\`)`;
const faultsWith = (messages: Record<string, string>, code = "de") =>
  findTextFaults([en, { code, messages }], [source]);

describe("the check of texts finds", () => {
  test("nothing where nothing is wrong", () => {
    expect(faultsWith({ ...en.messages, "a.b": "Hallo {name}" })).toEqual([]);
  });

  test.each([
    ["a missing text", { "a.c": en.messages["a.c"] }, /de\.json: a\.b is missing/],
    ["an empty one", { ...en.messages, "a.b": " " }, /a\.b is empty/],
    ["one nobody knows", { ...en.messages, "a.x": "?" }, /a\.x is unknown/],
    ["a value left out", { ...en.messages, "a.b": "Hallo" }, /a\.b leaves out name/],
    ["a value made up", { ...en.messages, "a.b": "{name} {x}" }, /has x, which English has not/],
    ["a tag left open", { ...en.messages, "a.b": "<b>{name}" }, /is no ICU message/],
    ["a brace left open", { ...en.messages, "a.b": "{name" }, /is no ICU message/],
  ])("%s", (_, messages, fault) => {
    const faults = faultsWith(messages);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(fault);
  });

  test("a plural form that the language has and the text has not", () => {
    expect(faultsWith(en.messages, "pl")).toEqual(["pl.json: a.c lacks the plural few, many"]);
  });

  test("a text that no code asks for", () => {
    expect(findTextFaults([en], [`text("a.b")`])).toEqual(["en.json: a.c is not used"]);
  });
});
