import { decodeHTMLAttribute } from "entities";
import {
  attribute,
  commentEnd,
  endTags,
  matchAt,
  tagEnd,
  tagName,
  webAddress,
} from "./rewrite-html";

export interface InspectedLink {
  /** What it says, character references decoded. */
  href: string;
  /** As browsers read it; null: it leads to no web page. */
  url: string | null;
  /** Something between its tags can be seen and clicked. */
  visible: boolean;
}

export interface InspectedImage {
  src: string;
  url: string | null;
  /** null: it has none. */
  alt: string | null;
}

/** What an email's HTML shows and where it leads. */
export interface InspectedHtml {
  links: InspectedLink[];
  images: InspectedImage[];
}

/** Of each kind. */
const most = 2_000;

/** Hidden from everybody by its own style. */
const hides = (style: string | undefined) =>
  style !== undefined && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style);

/** Reads tags as scanHtml does. Its time is linear in the length. */
export function inspectHtml(html: string): InspectedHtml {
  const links: InspectedLink[] = [];
  const images: InspectedImage[] = [];
  let open: { link: InspectedLink; hidden: boolean } | null = null;
  const see = () => {
    if (open && !open.hidden) open.link.visible = true;
  };
  let at = 0;
  for (;;) {
    const next = html.indexOf("<", at);
    if (
      open &&
      /[^\s\u200b\u034f\u00ad]/.test(textOf(html.slice(at, next === -1 ? undefined : next)))
    )
      see();
    if (next === -1) break;
    at = next;
    if (html.startsWith("<!--", at)) {
      const end = matchAt(commentEnd, html, at + 2);
      if (!end) break;
      at = end.index + end[0].length;
      continue;
    }
    const isEnd = html[at + 1] === "/";
    const name = matchAt(tagName, html, at + (isEnd ? 2 : 1))?.[0].toLowerCase();
    if (name === undefined) {
      at++;
      continue;
    }
    at += name.length + (isEnd ? 2 : 1);
    const attributes = new Map<string, string>();
    let end = matchAt(tagEnd, html, at);
    while (!end) {
      const match = matchAt(attribute, html, at);
      if (!match) break;
      at += match[0].length;
      const key = match[1]?.toLowerCase() ?? "";
      const value = match[2] ?? "";
      if (!attributes.has(key))
        attributes.set(key, /^["']/.test(value) ? value.slice(1, -1) : value);
      end = matchAt(tagEnd, html, at);
    }
    at += end?.[0].length ?? 0;
    if (end?.[1] !== ">") break;
    if (isEnd) {
      if (name === "a") open = null;
      continue;
    }
    const read = (key: string) => {
      const value = attributes.get(key);
      return value === undefined ? null : decodeHTMLAttribute(value).trim();
    };
    if (name === "a" || name === "area") {
      const href = read("href");
      if (href !== null && links.length < most) {
        const link = {
          href,
          url: webAddress(attributes.get("href") ?? ""),
          visible: name === "area",
        };
        links.push(link);
        if (name === "a") open = { link, hidden: hides(attributes.get("style")) };
      }
    } else if (name === "img" && images.length < most) {
      const src = read("src") ?? "";
      images.push({ src, url: webAddress(attributes.get("src") ?? ""), alt: read("alt") });
      see();
    } else if (endTags.has(name)) {
      const pattern = endTags.get(name);
      const close = pattern && matchAt(pattern, html, at);
      if (!close) break;
      at = close.index;
    }
  }
  return { links, images };
}

/** White space written as a character reference counts as white space. */
function textOf(text: string): string {
  return text.includes("&") ? text.replace(/&(?:nbsp|#160|#xa0|zwnj|#8199|#847);?/gi, " ") : text;
}
