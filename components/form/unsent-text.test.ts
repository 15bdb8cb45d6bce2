import { expect, test } from "vitest";
import { textOf } from "./unsent-text";

test("unsaved text is what was changed, each field under its name; what was emptied and secrets stay out", () => {
  const base = {
    name: "News",
    previewText: "",
    body: "<p></p>",
    password: "",
    list: "lst_1",
    tags: [""],
  };
  const draft = { ...base, previewText: "Snow", body: "<p>Hello</p>", password: "x", list: "" };
  expect(textOf(base, draft)).toBe("Preview text:\nSnow\n\nBody:\n<p>Hello</p>");
  expect(textOf(base, { ...base, tags: ["a"] })).toBe('Tags:\n["a"]');
  expect(textOf(base, { ...base })).toBe("");
});
