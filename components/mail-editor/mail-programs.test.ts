import { caniemail } from "caniemail";
import { describe, expect, test } from "vitest";
import { emailDesign } from "@/lib/mail/design/schema";
import { renderDesign } from "@/lib/mail/design/render";
import { newBlock, type NewBlock } from "./blocks";
import { toDesign } from "./document";
import { mailSchema } from "./document-schema";
import { starterLanguages } from "./starter-words";
import { startersIn } from "./starters";

/*
 * The gallery's mails and each block, against what Gmail, Outlook and Yahoo are known to support (caniemail.com).
 */

/** What some of them leave out, with what is seen then. */
const improvements: Readonly<Record<string, string>> = {
  "@media": "columns stay side by side on a phone",
  "<style> element": "the same",
  "border-radius": "corners are square",
  "role attribute": "read out as a table by old Windows Mail",
  "<body> element": "the outer table has the background, too",
  "height property": "spacers have a height attribute and a line of that height",
};

function unsupported(html: string): string[] {
  const { issues } = caniemail({ clients: ["gmail.*", "outlook.*", "yahoo.*"], html });
  return [...issues.errors].flatMap(([client, faults]) =>
    faults
      .filter(({ title }) => !(title in improvements))
      .map(({ title }) => `${client}: ${title}`),
  );
}

test("what is not supported is found", () => {
  const found = unsupported('<div style="display:grid;position:fixed">x</div>');
  expect(found).toContain("outlook.windows: display:grid");
});

test.each(
  starterLanguages.flatMap(({ code }) =>
    startersIn(code).map((starter) => ({ ...starter, name: `${starter.name} (${code})` })),
  ),
)("$name is made of what mail programs know", ({ design }) => {
  expect(unsupported(renderDesign(design))).toEqual([]);
});

describe("each block is made of what mail programs know", () => {
  test.each([
    ...["paragraph", "heading", "bullets", "numbers", "button", "image", "columns", "section"],
    ...["divider", "spacer", "product", "social", "condition", "footer"],
  ] as NewBlock[])("%s", (name) => {
    const doc = mailSchema.nodes["doc"]?.create(null, newBlock(name));
    const design = emailDesign.parse(doc && toDesign(doc));
    expect(unsupported(renderDesign(design))).toEqual([]);
  });
});
