import { Schema, type Attrs, type MarkSpec, type NodeSpec } from "prosemirror-model";
import { conditionLabel } from "./block-words";
import { defaultTheme, type Condition } from "@/lib/mail/design/schema";

/*
 * The design's blocks as the editor's nodes, by the same names with the same attributes: the editor's own
 * JSON is the design. What the canvas copies carries the attributes along, so that pasting brings them back.
 */

const kept = (attrs: Attrs) => ({ "data-mail": JSON.stringify(attrs) });

function read(element: HTMLElement): Attrs {
  try {
    return JSON.parse(element.getAttribute("data-mail") ?? "{}") as Attrs;
  } catch {
    return {};
  }
}

/** A node that is drawn by name and attributes alone. */
function blockSpec(
  name: string,
  spec: NodeSpec,
  style: (attrs: Attrs) => string = () => "",
): NodeSpec {
  const hole = spec.content === undefined ? [] : [0 as const];
  return {
    ...spec,
    toDOM: ({ attrs }) => [
      "div",
      { class: `mail-${name}`, "data-mail-block": name, style: style(attrs), ...kept(attrs) },
      ...hole,
    ],
    parseDOM: [{ tag: `div[data-mail-block="${name}"]`, getAttrs: read }, ...(spec.parseDOM ?? [])],
  };
}

const alignOf = (element: HTMLElement) => {
  const wanted = element.style.textAlign || element.getAttribute("align") || "left";
  return ["left", "center", "right"].includes(wanted) ? wanted : "left";
};
const aligned = { align: { default: "left" } };
const atom: NodeSpec = { group: "simple", atom: true, draggable: true, selectable: true };

const headingRule = (level: number) => ({
  tag: `h${level}`,
  getAttrs: (element: HTMLElement) => ({ level: Math.min(level, 3), align: alignOf(element) }),
});

const nodes: Record<string, NodeSpec> = {
  doc: {
    content: "(simple | columns | section | condition)+",
    attrs: { theme: { default: defaultTheme }, language: { default: null } },
  },
  paragraph: {
    group: "simple",
    content: "inline*",
    attrs: aligned,
    parseDOM: [{ tag: "p", getAttrs: (element) => ({ align: alignOf(element) }) }],
    toDOM: ({ attrs }) => ["p", { style: `text-align:${String(attrs["align"])}` }, 0],
  },
  heading: {
    group: "simple",
    content: "inline*",
    defining: true,
    attrs: { level: { default: 1 }, ...aligned },
    parseDOM: [1, 2, 3, 4, 5, 6].map(headingRule),
    toDOM: ({ attrs }) => [
      `h${String(attrs["level"])}`,
      { style: `text-align:${String(attrs["align"])}` },
      0,
    ],
  },
  bullets: {
    group: "simple",
    content: "item+",
    parseDOM: [{ tag: "ul" }],
    toDOM: () => ["ul", 0],
  },
  numbers: {
    group: "simple",
    content: "item+",
    parseDOM: [{ tag: "ol" }],
    toDOM: () => ["ol", 0],
  },
  item: {
    content: "paragraph+",
    defining: true,
    parseDOM: [{ tag: "li" }],
    toDOM: () => ["li", 0],
  },
  button: blockSpec(
    "button",
    {
      group: "simple",
      content: "(text | placeholder)*",
      marks: "",
      defining: true,
      isolating: true,
      attrs: {
        href: { default: "" },
        ...aligned,
        background: { default: null },
        color: { default: null },
      },
    },
    ({ align, background, color }) =>
      `text-align:${String(align)};${background ? `--button-ground:${String(background)};` : ""}${color ? `--button-ink:${String(color)}` : ""}`,
  ),
  image: blockSpec("image", {
    ...atom,
    attrs: {
      src: { default: "" },
      alt: { default: "" },
      href: { default: "" },
      align: { default: "center" },
      width: { default: null },
    },
    parseDOM: [
      {
        tag: "img[src]",
        getAttrs: (element) => {
          const src = element.getAttribute("src") ?? "";
          if (!/^(https?:|\{\{)/i.test(src)) return false;
          const width = Number(element.getAttribute("width"));
          const target = element.closest("a")?.getAttribute("href") ?? "";
          return {
            src,
            alt: element.getAttribute("alt") ?? "",
            href: /^(https?:|mailto:|tel:|\{\{)/i.test(target) ? target : "",
            align: "center",
            width: Number.isInteger(width) && width >= 16 && width <= 800 ? width : null,
          };
        },
      },
    ],
  }),
  divider: blockSpec("divider", { ...atom, parseDOM: [{ tag: "hr" }] }),
  spacer: blockSpec(
    "spacer",
    { ...atom, attrs: { height: { default: 24 } } },
    ({ height }) => `height:${String(height)}px`,
  ),
  social: blockSpec("social", {
    ...atom,
    attrs: { align: { default: "center" }, links: { default: [] } },
  }),
  footer: blockSpec(
    "footer",
    { group: "simple", content: "inline*", defining: true, attrs: aligned },
    ({ align }) => `text-align:${String(align)}`,
  ),
  product: blockSpec("product", {
    ...atom,
    attrs: Object.fromEntries(
      ["src", "alt", "title", "text", "price", "href", "action"].map((name) => [
        name,
        { default: "" },
      ]),
    ),
  }),
  html: blockSpec("html", { ...atom, attrs: { html: { default: "" } } }),
  column: blockSpec(
    "column",
    { content: "simple+", isolating: true, attrs: { share: { default: 1 } } },
    ({ share }) => `flex:${String(share)} 1 0`,
  ),
  columns: blockSpec("columns", { content: "column{2,4}", selectable: true, draggable: true }),
  section: blockSpec(
    "section",
    {
      content: "(simple | columns)+",
      isolating: true,
      selectable: true,
      draggable: true,
      attrs: { background: { default: "#efe9dd" }, color: { default: null } },
    },
    ({ background, color }) =>
      `background-color:${String(background)};${color ? `color:${String(color)}` : ""}`,
  ),
  condition: {
    ...blockSpec("condition", {
      content: "(simple | columns | section)+",
      isolating: true,
      selectable: true,
      draggable: true,
      attrs: {
        field: { default: "firstName" },
        operator: { default: "present" },
        value: { default: "" },
      },
    }),
    toDOM: ({ attrs }) => [
      "div",
      {
        class: "mail-condition",
        "data-mail-block": "condition",
        "data-label": conditionLabel(attrs as Condition["attrs"]),
        ...kept(attrs),
      },
      0,
    ],
  },
  text: { group: "inline" },
  placeholder: {
    group: "inline",
    inline: true,
    atom: true,
    selectable: true,
    attrs: { name: {}, fallback: { default: "" } },
    parseDOM: [{ tag: "span[data-placeholder]", getAttrs: read }],
    toDOM: ({ attrs }) => [
      "span",
      { class: "mail-placeholder", "data-placeholder": "", ...kept(attrs) },
      String(attrs["name"]),
    ],
  },
  break: {
    group: "inline",
    inline: true,
    selectable: false,
    parseDOM: [{ tag: "br" }],
    toDOM: () => ["br"],
  },
};

const marks: Record<string, MarkSpec> = {
  bold: {
    parseDOM: [
      { tag: "strong" },
      { tag: "b", getAttrs: (element) => element.style.fontWeight !== "normal" && null },
      { style: "font-weight", getAttrs: (value) => /^(bold|[6-9]\d\d)$/.test(value) && null },
    ],
    toDOM: () => ["strong", 0],
  },
  italic: {
    parseDOM: [{ tag: "em" }, { tag: "i" }, { style: "font-style=italic" }],
    toDOM: () => ["em", 0],
  },
  underline: { parseDOM: [{ tag: "u" }], toDOM: () => ["u", 0] },
  strike: { parseDOM: [{ tag: "s" }, { tag: "del" }], toDOM: () => ["s", 0] },
  color: {
    attrs: { color: {} },
    parseDOM: [
      {
        tag: "span[data-color]",
        getAttrs: (element) => ({ color: element.getAttribute("data-color") }),
      },
    ],
    toDOM: ({ attrs }) => [
      "span",
      { "data-color": String(attrs["color"]), style: `color:${String(attrs["color"])}` },
      0,
    ],
  },
  link: {
    attrs: { href: {} },
    inclusive: false,
    parseDOM: [
      {
        tag: "a[href]",
        getAttrs: (element) => {
          const href = element.getAttribute("href")?.trim() ?? "";
          return /^(https?:|mailto:|tel:|\{\{)/i.test(href) && { href };
        },
      },
    ],
    toDOM: ({ attrs }) => ["a", { href: String(attrs["href"]), tabindex: "-1" }, 0],
  },
};

export const mailSchema = new Schema({ nodes, marks });
