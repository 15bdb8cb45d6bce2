import { expect, test } from "vitest";
import { brand } from "@/lib/mail/design/brand-schema";
import { emailDesign } from "@/lib/mail/design/schema";
import { brandText, designText } from "./design-text";

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

test("a brand is its look, its colours and its logo", () => {
  const plain = brand.parse({ theme: { accent: "#7a1fa2" } });
  const [look, ...others] = brandText(plain).split("\n");
  expect(look).toContain("accent #7a1fa2, ");
  expect(others).toEqual(["Further colours: none", "Logo: none"]);
  const logo = { src: "https://example.com/logo.png", alt: "Tea", width: 160 };
  expect(brandText(brand.parse({ theme: {}, colours: ["#112233", "#445566"], logo }))).toMatch(
    /\nFurther colours: #112233, #445566\nLogo: src https:\/\/example\.com\/logo\.png, alt Tea, width 160$/,
  );
});
