import { expect, test } from "vitest";
import { compileTemplate, renderTemplate } from "@/lib/mail/content/liquid";
import { textFromHtml } from "@/lib/mail/content/plain-text";
import { inspectHtml } from "@/lib/mail/content/inspect-html";
import { contrast } from "./colours";
import { renderDesign } from "./render";
import { emailDesign, type EmailDesign, type Theme } from "./schema";

const design = (content: unknown[], theme: Partial<Theme> = {}): EmailDesign =>
  emailDesign.parse({ type: "doc", attrs: { theme }, content });
const words = (text: string, marks?: unknown[]) => ({
  type: "text",
  text,
  ...(marks ? { marks } : {}),
});
const says = (html: string, data: Record<string, unknown>) =>
  textFromHtml(renderTemplate(compileTemplate(html, "html"), data))
    .replace(/\s+/g, " ")
    .trim();

const everyBlock: unknown[] = [
  { type: "heading", attrs: { level: 1, align: "center" }, content: [words("News & <notes>")] },
  {
    type: "paragraph",
    content: [
      words("Hello "),
      { type: "placeholder", attrs: { name: "firstName", fallback: "you" } },
      words(", "),
      words("read", [
        { type: "bold" },
        { type: "link", attrs: { href: "https://e.test/?a=1&b=2" } },
      ]),
      { type: "break" },
      words("it", [{ type: "color", attrs: { color: "#123456" } }]),
    ],
  },
  {
    type: "bullets",
    content: [{ type: "item", content: [{ type: "paragraph", content: [words("one")] }] }],
  },
  {
    type: "numbers",
    content: [{ type: "item", content: [{ type: "paragraph", content: [words("two")] }] }],
  },
  { type: "button", attrs: { href: "https://e.test/go" }, content: [words("Go")] },
  { type: "image", attrs: { src: "https://e.test/a.png", alt: 'A "pear"', width: 200 } },
  { type: "divider" },
  { type: "spacer", attrs: { height: 40 } },
  { type: "social", attrs: { links: [{ network: "GitHub", url: "https://github.com/x" }] } },
  {
    type: "product",
    attrs: {
      src: "https://e.test/p.png",
      title: "Pear",
      text: "Sweet",
      price: "3 €",
      href: "https://e.test/p",
      action: "Buy",
    },
  },
  {
    type: "columns",
    content: [
      { type: "column", content: [{ type: "paragraph", content: [words("left")] }] },
      {
        type: "column",
        attrs: { share: 2 },
        content: [{ type: "image", attrs: { src: "https://e.test/b.png" } }],
      },
    ],
  },
  {
    type: "section",
    attrs: { background: "#111111" },
    content: [{ type: "paragraph", content: [words("in the dark")] }],
  },
  {
    type: "condition",
    attrs: { field: "data.plan", operator: "eq", value: "pro" },
    content: [{ type: "paragraph", content: [words("for professionals")] }],
  },
  { type: "html", attrs: { html: "<p>raw</p>" } },
  {
    type: "footer",
    attrs: { align: "center" },
    content: [words("Leave", [{ type: "link", attrs: { href: "{{ unsubscribeUrl }}" } }])],
  },
];

test("each block is in the mail, in order, as HTML and as plain text", () => {
  const html = renderDesign(design(everyBlock));
  const data = { firstName: "Ada", data: { plan: "pro" }, unsubscribeUrl: "https://e.test/out" };
  expect(says(html, data)).toMatchInlineSnapshot(
    `"News & <notes> Hello Ada, read [https://e.test/?a=1&b=2] it • one 1. two Go [https://e.test/go] A "pear" GitHub [https://github.com/x] https://e.test/p Pear Sweet 3 € Buy [https://e.test/p] left in the dark for professionals raw Leave [https://e.test/out]"`,
  );
  expect(says(html, { data: {} })).not.toContain("for professionals");
  expect(says(html, { data: {} })).toContain("Hello you,");
});

test("what Outlook and Gmail do not know is not relied on", () => {
  const html = renderDesign(design(everyBlock));
  expect(html).not.toMatch(
    /\d(?:rem|em|vw|vh)\b|<div[^>]*max-width|display:\s*(?:flex|grid)|position:|<svg|<script|var\(--/,
  );
  // Each width that only browsers read stands beside an attribute that Outlook reads, or in a table of its own.
  for (const [tag] of html.matchAll(/<[^>]*max-width[^>]*>/g)) {
    expect(tag).toMatch(/^<(?:table|img)\b[^>]* width="/);
  }
  const withoutStyles = html.replace(/<style>.*?<\/style>/s, "");
  expect(withoutStyles).toContain('bgcolor="#111111"');
  const ghost = (pattern: RegExp) => [...html.matchAll(pattern)].length;
  expect(ghost(/<!--\[if mso\]>/g)).toBe(ghost(/<!\[endif\]-->/g));
  for (const [table] of html.matchAll(/<table[^>]*>/g))
    expect(table).toContain('role="presentation"');
  expect(ghost(/<table\b/g)).toBe(ghost(/<\/table>/g));
  expect(ghost(/<td\b/g)).toBe(ghost(/<\/td>/g));
  expect(ghost(/<tr\b/g)).toBe(ghost(/<\/tr>/g));
});

test("pictures have a width in pixels that fits their column, and an alternative text", () => {
  const html = renderDesign(design(everyBlock));
  const widths = [...html.matchAll(/<img [^>]*width="(\d+)"/g)].map(([, width]) => Number(width));
  expect(widths).toEqual([200, 160, 341]);
  expect(inspectHtml(html).images.map(({ alt }) => alt)).toEqual(
    ["A &quot;pear&quot;", "", ""].map((alt) => alt.replaceAll("&quot;", '"')),
  );
});

test("the same design gives the same HTML after it was kept and read again", () => {
  const first = design(everyBlock);
  const kept = emailDesign.parse(JSON.parse(JSON.stringify(first)));
  expect(kept).toEqual(first);
  expect(renderDesign(kept)).toBe(renderDesign(first));
});

test("a long newsletter stays far below the size at which Gmail cuts", () => {
  const article: unknown[] = [
    { type: "heading", attrs: { level: 2 }, content: [words("A headline of fair length")] },
    { type: "image", attrs: { src: "https://e.test/files/some-picture.png", alt: "A picture" } },
    { type: "paragraph", content: [words("Words and more words. ".repeat(20))] },
    { type: "button", attrs: { href: "https://e.test/go" }, content: [words("Read on")] },
  ];
  const html = renderDesign(design(Array.from({ length: 25 }, () => article).flat()));
  expect(html.length).toBeLessThan(80_000);
});

test("text cannot end its place, and Liquid in it stays Liquid", () => {
  const html = renderDesign(
    design([
      {
        type: "paragraph",
        content: [words(`</td><script>1</script> {{ a | default: "<b>" }} "x"`)],
      },
      { type: "image", attrs: { src: 'https://e.test/"onerror="x', alt: '"><img>' } },
    ]),
  );
  expect(html).not.toContain("<script");
  expect(html).not.toContain('"onerror');
  expect(html).toContain('{{ a | default: "<b>" }}');
  expect(html).toContain('alt="&quot;&gt;&lt;img&gt;"');
});

test("text, links and buttons can be read on every ground", () => {
  const html = renderDesign(
    design(
      [
        {
          type: "section",
          attrs: { background: "#ffe600", color: "#ffffff" },
          content: [
            {
              type: "paragraph",
              content: [words("a", [{ type: "link", attrs: { href: "https://e.test" } }])],
            },
            { type: "footer", content: [words("small")] },
            {
              type: "button",
              attrs: { background: "#fafafa", color: "#ffffff" },
              content: [words("b")],
            },
          ],
        },
      ],
      { accent: "#ffee55", onAccent: "#ffffff" },
    ),
  );
  const [inSection] = /bgcolor="#ffe600"[\s\S]*/.exec(html) ?? [""];
  const colours = [...inSection.matchAll(/[;"]color:(#[0-9a-f]{6})/g)].map(
    ([, colour]) => colour ?? "",
  );
  expect(colours.length).toBeGreaterThan(3);
  for (const colour of colours) {
    const ground = contrast(colour, "#ffe600") >= 4.5 ? "#ffe600" : "#fafafa";
    expect(contrast(colour, ground)).toBeGreaterThanOrEqual(3);
  }
});

test.each([
  ["present", "", { a: "x" }, { a: "" }],
  ["absent", "", {}, { a: "x" }],
  ["eq", "30", { a: 30 }, { a: 31 }],
  ["eq", "30", { a: "30" }, {}],
  ["ne", "30", { a: 31 }, { a: "30" }],
  ["eq", "it's", { a: "it's" }, { a: "its" }],
  ["contains", "vip", { a: ["vip"] }, { a: ["v"] }],
  ["gt", "3", { a: 4 }, { a: 3 }],
  ["lt", "3", { a: 2 }, { a: 3 }],
] as const)(
  "a block that asks %s %s is shown to those it means alone",
  (operator, value, yes, no) => {
    const html = renderDesign(
      design([
        {
          type: "condition",
          attrs: { field: "a", operator, value },
          content: [{ type: "paragraph", content: [words("shown")] }],
        },
      ]),
    );
    expect(says(html, yes)).toBe("shown");
    expect(says(html, no)).toBe("");
  },
);

test("what would break the Liquid or lead nowhere is refused", () => {
  const refused = (block: unknown) =>
    emailDesign.safeParse({ type: "doc", attrs: { theme: {} }, content: [block] }).success;
  const holder = (name: string, fallback = "") => ({
    type: "paragraph",
    content: [{ type: "placeholder", attrs: { name, fallback } }],
  });
  expect(refused(holder("data.plan", "it's"))).toBe(true);
  expect(refused(holder("a b"))).toBe(false);
  expect(refused(holder("a", "}}"))).toBe(false);
  expect(refused(holder("a", `'"`))).toBe(false);
  expect(refused({ type: "button", attrs: { href: "javascript:alert(1)" } })).toBe(false);
  expect(refused({ type: "image", attrs: { src: "file:///etc/passwd" } })).toBe(false);
  expect(
    refused({ type: "section", attrs: { background: "red" }, content: [{ type: "divider" }] }),
  ).toBe(false);
});
