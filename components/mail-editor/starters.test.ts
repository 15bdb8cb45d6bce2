import { expect, test } from "vitest";
import { compileTemplate, renderTemplate } from "@/lib/mail/content/liquid";
import { renderDesign } from "@/lib/mail/design/render";
import { newBlock, type NewBlock } from "./blocks";
import { fromDesign, toDesign } from "./document";
import { mailSchema } from "./document-schema";
import { starterLanguageOf, starterLanguages } from "./starter-words";
import { campaignStartersIn, startersIn } from "./starters";

const starters = startersIn("en");
/** Each design in each language. */
const everyStarter = starterLanguages.flatMap(({ code }) =>
  startersIn(code).map((starter) => ({ ...starter, name: `${starter.name} (${code})`, code })),
);

test("there are at least ten designs to begin with, each another", () => {
  expect(starters.length).toBeGreaterThanOrEqual(10);
  expect(new Set(starters.map(({ id }) => id)).size).toBe(starters.length);
});

test.each(everyStarter)(
  "$name comes out of the editor as it went in, and can be sent",
  ({ design, subject, code }) => {
    const doc = fromDesign(design);
    if (!doc) throw new Error("The editor does not understand it.");
    expect(JSON.stringify(toDesign(doc))).toBe(JSON.stringify(design));
    const html = renderDesign(design);
    const data = { firstName: "Ada", email: "ada@example.com", data: { discount: "5" } };
    const shown = renderTemplate(compileTemplate(html, "html"), data);
    expect(shown).not.toContain("{{");
    expect(shown).toContain(`<html lang="${code}"`);
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

/** What people read of a design: texts, stand-ins of placeholders, and what a product says. */
function wordsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(wordsOf);
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    typeof value === "string" && ["text", "fallback", "title", "price", "action"].includes(key)
      ? [value]
      : wordsOf(value),
  );
}

test.each(starterLanguages)(
  "what a campaign begins with can be sent to anybody ($code)",
  ({ code }) => {
    const designs = campaignStartersIn(code);
    expect(designs.length).toBeGreaterThanOrEqual(8);
    for (const { id, subject, design } of designs) {
      const html = renderDesign(design);
      expect(html, id).toContain("{{ unsubscribeUrl }}");
      // Neither what a program says of one person, nor what a list says of itself.
      expect(subject + html, id).not.toMatch(/\bdata\.|\blistName\b|\bconfirmUrl\b/);
    }
    const ids = designs.map(({ id }) => id);
    expect(ids).toContain("newsletter");
    for (const id of ["receipt", "confirm", "confirm-subscription"]) expect(ids).not.toContain(id);
  },
);

test("nothing of a German design is left in English, and its parts are the same", () => {
  const german = startersIn("de");
  starters.forEach(({ id, design, subject }, index) => {
    const [own, other] = [wordsOf(design.content), wordsOf(german[index]?.design.content)];
    const hasWords = (text: string) => /[a-z]{2}/i.test(text) && !text.startsWith("{{");
    const left = own.filter((text) => hasWords(text) && other.includes(text));
    expect([id, left]).toEqual([id, []]);
    expect([id, german[index]?.subject]).not.toEqual([id, subject]);
    const kinds = (content: readonly { type: string }[] = []) => content.map(({ type }) => type);
    expect(kinds(german[index]?.design.content)).toEqual(kinds(design.content));
  });
});

test.each([
  ["de-AT", "de"],
  ["en", "en"],
  ["fr", "en"],
  [undefined, "en"],
])("a project that writes %s begins with designs in %s", (project, language) => {
  expect(starterLanguageOf(project)).toBe(language);
});
