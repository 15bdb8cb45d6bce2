import { expect, test } from "vitest";
import { emailDesign } from "@/lib/mail/design/schema";
import { designText } from "./design-text";

const text = (words: string, ...marks: object[]) => ({ type: "text", text: words, marks });

test("each block is a line with all that is set, links and looks of words included", () => {
  const design = emailDesign.parse({
    type: "doc",
    attrs: { theme: {} },
    content: [
      {
        type: "paragraph",
        content: [
          text("Hello "),
          { type: "placeholder", attrs: { name: "firstName", fallback: "you" } },
          { type: "break" },
          text(
            "read on",
            { type: "link", attrs: { href: "https://example.com" } },
            { type: "bold" },
          ),
        ],
      },
      {
        type: "section",
        attrs: { background: "#112233" },
        content: [{ type: "spacer", attrs: { height: 24 } }],
      },
    ],
  });
  const [look, ...blocks] = designText(design).split("\n");
  expect(look).toMatch(/^Look: width 600, background #f2f0eb,/);
  expect(blocks).toEqual([
    "Text, align left: Hello {{ firstName or “you” }} ⏎ read on [link https://example.com, bold]",
    "Section, background #112233",
    "  Spacer, height 24",
  ]);
});

test("without a design there is no text", () => {
  expect(designText(null)).toBe("");
});
