import { expect, test } from "vitest";
import { compileTemplate, renderTemplate } from "@/lib/mail/content/liquid";
import { renderDesign } from "@/lib/mail/design/render";
import { newBlock, type NewBlock } from "./blocks";
import { fromDesign, toDesign } from "./document";
import { mailSchema } from "./document-schema";
import { starters } from "./starters";

test("there are at least ten designs to begin with, each another", () => {
  expect(starters.length).toBeGreaterThanOrEqual(10);
  expect(new Set(starters.map(({ id }) => id)).size).toBe(starters.length);
});

test.each(starters)(
  "$name comes out of the editor as it went in, and can be sent",
  ({ design, subject }) => {
    const doc = fromDesign(design);
    if (!doc) throw new Error("The editor does not understand it.");
    expect(JSON.stringify(toDesign(doc))).toBe(JSON.stringify(design));
    const html = renderDesign(design);
    const data = { firstName: "Ada", email: "ada@example.com", data: { discount: "5" } };
    const shown = renderTemplate(compileTemplate(html, "html"), data);
    expect(shown).not.toContain("{{");
    expect(shown.length).toBeLessThan(20_000);
    expect(() => compileTemplate(subject, "subject")).not.toThrow();
  },
);

test.each([
  ...["paragraph", "heading", "bullets", "numbers", "button", "image", "columns", "section"],
  ...["divider", "spacer", "product", "social", "condition", "footer", "html"],
] as NewBlock[])("a new %s is a block that can be kept", (name) => {
  const block = newBlock(name);
  block.check();
  const doc = mailSchema.nodes["doc"]?.create(null, block);
  if (!doc) throw new Error("The schema has no document.");
  const design = toDesign(doc);
  expect(fromDesign(JSON.parse(JSON.stringify(design)) as object)?.toJSON()).toEqual(doc.toJSON());
  expect(renderDesign(design)).toContain("</html>");
});
