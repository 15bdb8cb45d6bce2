import { compile, type FormatCallback } from "html-to-text";
import { compileTemplate, type CompiledTemplate } from "./liquid";

/** What is read of a parsed element; the library's types leave it open. */
interface Node {
  type: string;
  name?: string;
  attribs?: Record<string, string>;
  next: Node | null;
}

/** A cell, and a space where another one follows: otherwise the words of a row run together. */
const cell: FormatCallback = (element, walk, builder) => {
  walk(element.children, builder);
  let { next } = element as unknown as Node;
  while (next && next.type !== "tag") next = next.next;
  if (next?.name === "td" || next?.name === "th") builder.addInline(" ");
};

/** A picture's alternative text; nothing if it has none. */
const alternative: FormatCallback = (element, _walk, builder) => {
  const text = (element as unknown as Node).attribs?.["alt"]?.trim();
  if (text) builder.addInline(text);
};

const row = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

const convert = compile({
  wordwrap: false,
  formatters: { cell, alternative },
  limits: { maxDepth: 200 },
  selectors: [
    { selector: "a", options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    { selector: "img", format: "alternative" },
    { selector: "tr", format: "block", options: row },
    { selector: "td", format: "cell" },
    { selector: "th", format: "cell" },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
  ],
});

/** Nested elements. The parser's time grows with their square: 200,000 take 20 seconds. */
const deepest = 5_000;
const voidElements = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

/** Where the HTML nests deeper than any real mail; its length when it never does. */
function tooDeepAt(html: string): number {
  const open = new Map<string, number>();
  let depth = 0;
  for (const tag of html.matchAll(/<(\/?)([a-z][^\s/>]*)/gi)) {
    const name = tag[2]?.toLowerCase() ?? "";
    if (voidElements.has(name)) continue;
    const count = open.get(name) ?? 0;
    // An end tag without a start tag ends nothing.
    if (tag[1] === "/" && count === 0) continue;
    const step = tag[1] === "/" ? -1 : 1;
    open.set(name, count + step);
    depth += step;
    if (depth > deepest) return tag.index;
  }
  return html.length;
}

/** The plain part for an HTML body: the text it shows, links with their address in brackets. */
export function textFromHtml(html: string): string {
  return convert(html.slice(0, tooDeepAt(html)));
}

// Private use characters: no mail contains them, and the conversion leaves them alone.
const open = "\ue000";
const close = "\ue001";

/**
 * A plain-text template made from an HTML one, so that a recipient's text costs no conversion; null when
 * the text is known only from the rendered HTML (tags, raw values).
 */
export function textTemplateFromHtml(source: string): CompiledTemplate | null {
  if (/\{%|\|\s*(raw|escape|escape_once|xml_escape|newline_to_br)\b|[\ue000\ue001]/.test(source)) {
    return null;
  }
  const outputs: string[] = [];
  let marked = "";
  let at = 0;
  for (;;) {
    const start = source.indexOf("{{", at);
    const end = start === -1 ? -1 : source.indexOf("}}", start);
    if (end === -1) break;
    marked += `${source.slice(at, start)}${open}${outputs.length}${close}`;
    outputs.push(source.slice(start, end + 2));
    at = end + 2;
  }
  const converted = textFromHtml(marked + source.slice(at));
  // References and elements can hide Liquid in the HTML, and the text would then run it.
  if (/\{[{%\ue000]/.test(converted)) return null;
  const text = converted.replace(
    /\ue000(\d+)\ue001/g,
    (_, index: string) => outputs[Number(index)] ?? "",
  );
  try {
    return compileTemplate(text, "text");
  } catch {
    return null;
  }
}
