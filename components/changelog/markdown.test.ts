import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readMarkdown } from "./markdown";

const plain = (text: string) => ({ text, look: "plain" });

it("reads headings, paragraphs and lists whose items run over lines", () => {
  const source =
    "# Title\n\nOne\ntwo.\n## 0.1.0\n- **A**: `x` and y\n  on.\n- B\n\n- C\n\nEnd\n- D\n";
  expect(readMarkdown(source)).toEqual([
    { kind: "heading", level: 1, text: "Title" },
    { kind: "paragraph", spans: [plain("One two.")] },
    { kind: "heading", level: 2, text: "0.1.0" },
    {
      kind: "list",
      items: [
        [
          { text: "A", look: "strong" },
          plain(": "),
          { text: "x", look: "code" },
          plain(" and y on."),
        ],
        [plain("B")],
      ],
    },
    { kind: "list", items: [[plain("C")]] },
    { kind: "paragraph", spans: [plain("End")] },
    { kind: "list", items: [[plain("D")]] },
  ]);
});

it("leaves no mark-up of the changelog unread", () => {
  const blocks = readMarkdown(readFileSync("CHANGELOG.md", "utf8"));
  const text = JSON.stringify(blocks);
  expect(blocks[0]).toEqual({ kind: "heading", level: 1, text: "Changelog" });
  expect(text).not.toMatch(/\*\*|`|\]\(|"text":"[-#] /);
});
