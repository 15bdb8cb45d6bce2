import { escapeHtml } from "@/lib/ground/escape-html";
import { networks, type Theme } from "@/lib/mail/design/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import { readMjml, type MjmlNode } from "./mjml-source";

/** MJML as HTML in which each block is marked with its name and attributes, as the canvas copies them. */
interface TakenMjml {
  html: string;
  theme: Partial<Theme>;
  /** What could not be taken over, in words. */
  left: readonly string[];
}

const marked = (name: string, attrs: object, inside = "") =>
  `<div data-mail-block="${name}" data-mail="${escapeHtml(JSON.stringify(attrs))}">${inside}</div>`;

const isLink = (href: string) => /^(https?:|mailto:|tel:|\{\{)/i.test(href);
const linkOf = (node: MjmlNode) => (isLink(node.attr("href")) ? node.attr("href") : "");
const sourceOf = (node: MjmlNode) =>
  /^(https?:|\{\{)/i.test(node.attr("src")) ? node.attr("src") : "";

function alignOf(node: MjmlNode, standard: string): string {
  const align = node.attr("align");
  return ["left", "center", "right"].includes(align) ? align : standard;
}

/** `#rrggbb` of a colour as MJML writes it; null for names and what is transparent. */
function colourOf(text: string): string | null {
  const colour = text.toLowerCase();
  if (/^#[0-9a-f]{6}$/.test(colour)) return colour;
  if (/^#[0-9a-f]{3}$/.test(colour)) return colour.replace(/[0-9a-f]/g, "$&$&");
  return colour === "white" ? "#ffffff" : colour === "black" ? "#000000" : null;
}

function pixelsOf(text: string, least: number, most: number): number | null {
  const pixels = /^\d{1,4}(\.\d{1,4})?px$/.test(text) ? Math.round(Number.parseFloat(text)) : NaN;
  return pixels >= least && pixels <= most ? pixels : null;
}

const fontSigns = [
  ["mono", /courier|mono/],
  ["rounded", /trebuchet|verdana/],
  ["slab", /rockwell|slab/],
  ["serif", /georgia|times|playfair|merriweather/],
] as const;
const fontOf = (family: string): Theme["font"] =>
  fontSigns.find(([, sign]) => sign.test(family.toLowerCase()))?.[0] ?? "sans";

/** The value that occurs most often. */
function commonest(values: readonly (string | null)[]): string | null {
  const counts = new Map<string, number>();
  for (const value of values) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0] ?? null;
}

const everything = (node: MjmlNode): MjmlNode[] => [node, ...node.children.flatMap(everything)];

const opened = /\{%-?\s{0,9}(?:if|unless|for|case)\b/g;
const closed = /\{%-?\s{0,9}end(?:if|unless|for|case)\b/g;
/** Whether Liquid begins in it and ends elsewhere. */
const isTorn = (html: string) =>
  (html.match(opened)?.length ?? 0) !== (html.match(closed)?.length ?? 0);

const aroundElements = () => t("a condition or loop around elements");

const hasBlocks = (html: string) => /<(?:p|h[1-6]|ul|ol|table|div|blockquote|hr|img)\b/i.test(html);

class Taking {
  readonly left = new Map<string, number>();

  constructor(readonly theme: Theme) {}

  leave(what: string): "" {
    this.left.set(what, (this.left.get(what) ?? 0) + 1);
    return "";
  }

  /** A text; one line in large letters is a heading. */
  text(node: MjmlNode, ground: string | null): string {
    const align = alignOf(node, "left");
    if (hasBlocks(node.html)) return `<div data-align="${align}">${node.html}</div>`;
    if (node.html === "") return "";
    const letters = pixelsOf(node.attr("font-size"), 1, 200) ?? 13;
    const isLine = node.html.length < 300 && !/<br\b/i.test(node.html);
    const name = isLine && letters >= 28 ? "h1" : isLine && letters >= 20 ? "h2" : "p";
    const colour = colourOf(node.attr("color"));
    const own = colour !== null && ground === null && colour !== this.theme.text;
    const words = own ? `<span data-color="${colour}">${node.html}</span>` : node.html;
    return `<${name} style="text-align:${align}">${words}</${name}>`;
  }

  button(node: MjmlNode): string {
    const background = colourOf(node.attr("background-color"));
    const color = colourOf(node.attr("color"));
    const look = {
      background: background === this.theme.accent ? null : background,
      color: color === this.theme.onAccent ? null : color,
    };
    const words = node.html.replace(/<[^<>]{0,500}>/g, " ").replace(/\s+/g, " ");
    return marked("button", { href: linkOf(node), align: alignOf(node, "center"), ...look }, words);
  }

  image(node: MjmlNode): string {
    const src = sourceOf(node);
    if (src === "") return this.leave(t("an image without a web address"));
    return marked("image", {
      src,
      alt: node.attr("alt").slice(0, 500),
      href: linkOf(node),
      align: alignOf(node, "center"),
      width: pixelsOf(node.attr("width"), 16, 800),
    });
  }

  social(node: MjmlNode): string {
    const links = node.children.flatMap((element) => {
      const name = element
        .attr("name")
        .replace(/-noshare$/, "")
        .toLowerCase();
      const network =
        name === "web" ? "Website" : networks.find((each) => each.toLowerCase() === name);
      if (network && linkOf(element) !== "") return [{ network, url: linkOf(element) }];
      this.leave(
        name ? t("the social link “{name}”", { name }) : t("the social link “without a name”"),
      );
      return [];
    });
    const own = links.filter(
      ({ network }, index) => links.findIndex((each) => each.network === network) === index,
    );
    return own.length > 0 ? marked("social", { align: alignOf(node, "center"), links: own }) : "";
  }

  raw(node: MjmlNode, html = node.html): string {
    if (html === "") return "";
    if (isTorn(html)) return this.leave(aroundElements());
    return marked("html", { html });
  }

  block(node: MjmlNode, ground: string | null): string {
    switch (node.name) {
      case "mj-text":
        return this.text(node, ground);
      case "mj-button":
        return this.button(node);
      case "mj-image":
        return this.image(node);
      case "mj-divider":
        return marked("divider", {});
      case "mj-spacer":
        return marked("spacer", { height: pixelsOf(node.attr("height"), 4, 200) ?? 20 });
      case "mj-social":
        return this.social(node);
      case "mj-raw":
        return this.raw(node);
      case "mj-table":
        return this.raw(node, `<table width="100%">${node.html}</table>`);
      case "mj-navbar":
        return `<p style="text-align:${alignOf(node, "center")}">${node.children
          .map((link) => `<a href="${escapeHtml(linkOf(link))}">${link.html}</a>`)
          .join(" · ")}</p>`;
      case "mj-carousel":
        this.leave(t("the turning of a carousel: its images stand below each other"));
        return node.children.map((image) => this.image(image)).join("");
      case "mj-accordion":
        this.leave(t("the folding of an accordion: its texts stand below each other"));
        return everything(node)
          .map(({ name, html }) =>
            name === "mj-accordion-title"
              ? `<h3>${html}</h3>`
              : name === "mj-accordion-text"
                ? `<div data-align="left">${html}</div>`
                : "",
          )
          .join("");
      default:
        return this.leave(`<${node.name}>`);
    }
  }

  column(node: MjmlNode, ground: string | null): string {
    if (colourOf(node.attr("background-color"))) this.leave(t("the background of a column"));
    return node.children.map((child) => this.block(child, ground)).join("");
  }

  /** What stands side by side; what has no room there, below each other. */
  columns(nodes: readonly MjmlNode[], ground: string | null): string {
    const filled = nodes
      .map((node) => ({ node, html: this.column(node, ground) }))
      .filter(({ html }) => html !== "");
    if (filled.length < 2) return filled.map(({ html }) => html).join("");
    if (filled.length > 4) {
      this.leave(t("more than four columns: they stand below each other"));
      return filled.map(({ html }) => html).join("");
    }
    const shares = sharesOf(filled.map(({ node }) => node));
    return marked(
      "columns",
      {},
      filled.map(({ html }, index) => marked("column", { share: shares[index] }, html)).join(""),
    );
  }

  section(node: MjmlNode, around: string | null): string {
    if (node.attr("background-url")) this.leave(t("a background image"));
    const colour = colourOf(node.attr("background-color")) ?? around;
    const ground = colour === this.theme.sheet ? null : colour;
    const columns = node.children.flatMap((child) =>
      child.name === "mj-group" ? child.children : [child],
    );
    const isHero = node.name === "mj-hero";
    const others = columns.filter(({ name }) => isHero || name !== "mj-column");
    const html =
      others.map((child) => this.block(child, ground)).join("") +
      this.columns(isHero ? [] : columns.filter(({ name }) => name === "mj-column"), ground);
    if (html === "" || ground === null) return html;
    const words = columns.flatMap(everything).filter(({ name }) => name === "mj-text");
    const color = commonest(words.map((each) => colourOf(each.attr("color"))));
    return marked("section", { background: ground, color }, html);
  }

  part(node: MjmlNode, around: string | null = null): string {
    if (node.name === "mj-section" || node.name === "mj-hero") return this.section(node, around);
    if (node.name === "mj-wrapper") {
      if (node.attr("background-url")) this.leave(t("a background image"));
      const colour = colourOf(node.attr("background-color")) ?? around;
      return node.children.map((child) => this.part(child, colour)).join("");
    }
    return this.block(node, null);
  }
}

/** Shares of columns by their widths; those without one divide what is left. */
function sharesOf(columns: readonly MjmlNode[]): number[] {
  const widths = columns.map((column) => {
    const width = column.attr("width");
    const number = Number.parseFloat(width);
    if (!(number > 0)) return null;
    return width.endsWith("%") ? number : number / 6;
  });
  const unset = widths.filter((width) => width === null).length;
  const rest = 100 - widths.reduce<number>((sum, width) => sum + (width ?? 0), 0);
  const all = widths.map((width) => width ?? Math.max(10, rest / unset));
  const least = Math.min(...all);
  return all.map((width) => Math.min(6, Math.max(1, Math.round(width / least))));
}

function themeOf(body: MjmlNode, theme: Theme): Theme {
  const nodes = everything(body);
  const named = (name: string) => nodes.filter((node) => node.name === name);
  const colours = (name: string, attribute: string) =>
    commonest(named(name).map((node) => colourOf(node.attr(attribute))));
  const background = colourOf(body.attr("background-color")) ?? "#ffffff";
  // Texts of MJML are black unless they say otherwise.
  const text = commonest(named("mj-text").map((node) => colourOf(node.attr("color")) ?? "#000000"));
  const family = commonest(named("mj-text").map((node) => node.attr("font-family")));
  const font = family ? fontOf(family) : theme.font;
  return {
    ...theme,
    background,
    sheet: colours("mj-section", "background-color") ?? background,
    text: text ?? theme.text,
    accent: colours("mj-button", "background-color") ?? theme.accent,
    onAccent: colours("mj-button", "color") ?? theme.onAccent,
    width: pixelsOf(body.attr("width"), 320, 800) ?? theme.width,
    font,
    headingFont: font,
  };
}

/** What is lost of the head; null: nothing. */
const inHead: Readonly<Record<string, string | null>> = phrases({
  "mj-attributes": null,
  "mj-breakpoint": null,
  "mj-title": null,
  "mj-style": "styles of the head",
  "mj-font": "fonts from the web",
  "mj-preview": "the preview text: a text at the top says the same",
  "mj-include": "parts from other files",
});

/** The blocks of a text in MJML; null: it cannot be read. */
export function takeMjml(source: string, theme: Theme): TakenMjml | null {
  const read = readMjml(source);
  if (!read) return null;
  const taking = new Taking(themeOf(read.body, theme));
  for (const { name } of read.head) {
    const what = inHead[name];
    if (what !== null) taking.leave(what ?? t("{element} in the head", { element: `<${name}>` }));
  }
  for (const { loose } of everything(read.body)) {
    if (loose) taking.leave(loose.includes("{%") ? aroundElements() : t("a text between elements"));
  }
  const html = read.body.children.map((child) => taking.part(child)).join("\n");
  const left = [...taking.left].map(([what, times]) => (times > 1 ? `${what} (${times})` : what));
  return { html, theme: taking.theme, left };
}
