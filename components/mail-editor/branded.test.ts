import { expect, test } from "vitest";
import { brand } from "@/lib/mail/design/brand-schema";
import { renderDesign } from "@/lib/mail/design/render";
import { branded } from "./branded";
import { blankDesign } from "./blocks";
import { fromDesign, toDesign } from "./document";
import { starterLanguages } from "./starter-words";
import { startersIn } from "./starters";

const ours = brand.parse({
  theme: { accent: "#7a1fa2", onAccent: "#fffaf4", headingFont: "slab", background: "#e8f0ee" },
  logo: { src: "https://example.com/logo.png", alt: "Example", width: 160 },
});

test.each(
  starterLanguages.flatMap(({ code }) =>
    startersIn(code).map((starter) => ({ ...starter, name: `${starter.name} (${code})` })),
  ),
)("$name takes the brand's look and comes out of the editor as it went in", ({ design }) => {
  const ownAccent = design.attrs.theme.accent;
  const result = branded(design, ours);
  expect(result.attrs.theme).toEqual(ours.theme);
  expect(result.content[0]).toMatchObject({
    type: "image",
    attrs: { alt: "Example", width: 160 },
  });
  const doc = fromDesign(result);
  if (!doc) throw new Error("The editor does not understand it.");
  expect(JSON.stringify(toDesign(doc))).toBe(JSON.stringify(result));
  expect(renderDesign(result)).not.toContain(ownAccent);
  expect(JSON.stringify(result.content.slice(1)).replaceAll(/"attrs":\{[^{}]*\}/g, "")).toBe(
    JSON.stringify(design.content).replaceAll(/"attrs":\{[^{}]*\}/g, ""),
  );
});

test("a button on the accent's ground is the other way round, elsewhere the theme's", () => {
  const button = {
    type: "button" as const,
    attrs: { href: "", align: "left" as const, background: "#ff0000", color: "#00ff00" },
    content: [{ type: "text" as const, text: "Go" }],
  };
  const section = (background: string) => ({
    type: "section" as const,
    attrs: { background, color: "#123456" },
    content: [button],
  });
  const design = { ...blankDesign(), content: [button, section("#101010"), section("#fafafa")] };
  const [, plain, dark, light] = branded(design, ours).content;
  expect(plain).toMatchObject({ attrs: { background: null, color: null } });
  expect(dark).toMatchObject({
    attrs: { background: "#7a1fa2", color: "#fffaf4" },
    content: [{ attrs: { background: "#fffaf4", color: "#7a1fa2" } }],
  });
  expect(light).toMatchObject({
    attrs: { color: null },
    content: [{ attrs: { background: null, color: null } }],
  });
});

test("without a logo nothing is put on top", () => {
  expect(branded(blankDesign(), { ...ours, logo: null }).content).toHaveLength(
    blankDesign().content.length,
  );
});
