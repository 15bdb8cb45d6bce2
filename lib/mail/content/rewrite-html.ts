import { decodeHTMLAttribute } from "entities";
import { LRUCache } from "lru-cache";
import { escapeHtml } from "@/lib/ground/escape-html";

/** The href of an `<a>` or `<area>` that leads to a web page. */
export interface WebLink {
  /** Where the value is in the source, quotes included. */
  start: number;
  end: number;
  /** Character references decoded, white space stripped as browsers do. */
  url: string;
  /** The element says `data-no-track`. */
  untracked: boolean;
}

/** What must be known about an HTML body to insert something into it. */
export interface ScannedHtml {
  links: WebLink[];
  /** Where the body's content begins. */
  bodyStart: number;
  /** Where it ends: before the last `</body>`, or before something left open that swallows the rest. */
  bodyEnd: number;
}

// Their content is text up to the end tag (HTML, section 13.2.5).
const textElements = new Set(
  "script style textarea title xmp iframe noembed noframes plaintext".split(" "),
);
export const endTags = new Map(
  [...textElements].map((name) => [name, new RegExp(`</${name}(?=[\\s/>])`, "gi")]),
);
export const commentEnd = /--!?>/g;
export const tagName = /[a-z][^\s/>]*/iy;
// One attribute: its name, then its value with the quotes. Every character is looked at once.
export const attribute =
  /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*("[^"]*"?|'[^']*'?|[^\s>"'][^\s>]*)?)?/y;
export const tagEnd = /[\s/]*(>|$)/y;

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** An http(s) address as browsers read it; null for any other. */
export function webAddress(raw: string): string | null {
  const value = raw.includes("&") ? decodeHTMLAttribute(raw) : raw;
  // From both ends: a pattern that looks for trailing blanks takes quadratic time.
  let [from, to] = [0, value.length];
  while (from < to && value.charCodeAt(from) <= 0x20) from++;
  while (to > from && value.charCodeAt(to - 1) <= 0x20) to--;
  const trimmed = value.slice(from, to).replace(/[\t\n\r]/g, "");
  // A character that no database can store is read as HTML reads it (section 13.2.5.36).
  const url = trimmed.replaceAll("\0", "\ufffd").toWellFormed();
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
}

/** One tag. What is in it does not depend on what stands before or after it. */
interface Tag {
  /** In lower case. */
  name: string;
  isEnd: boolean;
  /** With `>`, where it is closed. */
  length: number;
  closed: boolean;
  /** Where it leads, with positions counted from the start of the tag. */
  link: WebLink | null;
}

/** Tags that were read before: most of a newsletter's are the same for every recipient. */
const knownTags = new LRUCache<string, Tag>({ max: 5_000 });
const longestKnownTag = 500;

/** null: no tag begins here. */
function tagAt(html: string, at: number): Tag | null {
  // No further: HTML that is nothing but `<` would be searched to its end for each one.
  const near = html.slice(at, at + longestKnownTag);
  const text = near.slice(0, near.indexOf(">") + 1);
  if (text === "") return readTag(html, at);
  const remembered = knownTags.get(text);
  if (remembered) return remembered;
  const tag = readTag(html, at);
  // Otherwise the `>` was within quotes: what follows belongs to the tag.
  if (tag?.closed && tag.length === text.length) knownTags.set(ownCopy(text), tag);
  return tag;
}

/** A slice of a string keeps the whole string in memory. */
function ownCopy(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

function readTag(html: string, start: number): Tag | null {
  const isEnd = html[start + 1] === "/";
  const name = matchAt(tagName, html, start + (isEnd ? 2 : 1))?.[0].toLowerCase();
  if (name === undefined) return null;
  let at = start + name.length + (isEnd ? 2 : 1);
  const isLink = !isEnd && (name === "a" || name === "area");
  let href: { start: number; end: number; raw: string } | null = null;
  let untracked = false;
  let end = matchAt(tagEnd, html, at);
  while (!end) {
    const match = matchAt(attribute, html, at);
    // Unreachable: what does not end a tag begins an attribute. An endless loop would be worse.
    if (!match) break;
    const value = match[2];
    at += match[0].length;
    if (isLink) {
      const attributeName = match[1]?.toLowerCase();
      if (attributeName === "href" && !href && value !== undefined) {
        const raw = /^["']/.test(value) ? value.slice(1, -1) : value;
        href = { start: at - value.length - start, end: at - start, raw };
      } else if (attributeName === "data-no-track" || attributeName === "ses:no-track") {
        untracked = true;
      }
    }
    end = matchAt(tagEnd, html, at);
  }
  at += end?.[0].length ?? 0;
  const url = href && webAddress(href.raw);
  const link = href && url !== null ? { start: href.start, end: href.end, url, untracked } : null;
  return { name, isEnd, length: at - start, closed: end?.[1] === ">", link };
}

/**
 * Reads HTML as mail programs do, as far as it takes to find the links and both ends of the body:
 * comments, styles, quotes and broken tags hide what they contain. The time is linear in the length.
 */
export function scanHtml(html: string): ScannedHtml {
  const links: WebLink[] = [];
  let bodyStart = 0;
  let beforeBody = 0;
  let bodyEnd = -1;
  /** Something opens at `from` and is never closed. */
  const leftOpen = (from: number) => {
    if (bodyEnd === -1) bodyEnd = from;
    return html.length;
  };

  let at = 0;
  for (;;) {
    at = html.indexOf("<", at);
    if (at === -1) break;
    if (html.startsWith("<!--", at)) {
      // `<!-->` and `<!--->` are whole comments.
      const abrupt = /^-?>/.exec(html.slice(at + 4, at + 6));
      const end = abrupt ? null : matchAt(commentEnd, html, at + 4);
      if (abrupt) at += 4 + abrupt[0].length;
      else at = end ? end.index + end[0].length : leftOpen(at);
      continue;
    }
    const tag = tagAt(html, at);
    if (!tag) {
      if (/[!?/]/.test(html[at + 1] ?? "")) {
        const end = html.indexOf(">", at);
        const doctype = /^<!doctype/i.test(html.slice(at, at + 9));
        at = end === -1 ? leftOpen(at) : end + 1;
        if (doctype) beforeBody = at;
      } else at++;
      continue;
    }
    const start = at;
    const { name, isEnd, link } = tag;
    at += tag.length;
    if (!tag.closed) {
      leftOpen(start);
      break;
    }
    if (link) links.push({ ...link, start: start + link.start, end: start + link.end });
    if (isEnd) {
      if (name === "body") bodyEnd = start;
      else if (name === "head") beforeBody = at;
      else if (name === "html" && bodyEnd === -1) bodyEnd = start;
    } else if (name === "body" && bodyStart === 0) bodyStart = at;
    else if (name === "html") beforeBody = at;
    else if (textElements.has(name)) {
      const pattern = endTags.get(name);
      const close = pattern && name !== "plaintext" ? matchAt(pattern, html, at) : null;
      at = close ? close.index : leftOpen(start);
    }
  }
  return {
    links,
    bodyStart: bodyStart || beforeBody,
    bodyEnd: bodyEnd === -1 ? html.length : bodyEnd,
  };
}

/** What is put into scanned HTML; everything else stays exactly as it was. */
export interface Insertions {
  /** The link's new address; null leaves it alone. */
  hrefFor: (link: WebLink) => string | null;
  /** HTML for the beginning and the end of the body. */
  first: string;
  last: string;
}

/** The HTML with new addresses in its links and something added at both ends of its body. */
export function insertIntoHtml(
  html: string,
  { links, bodyStart, bodyEnd }: ScannedHtml,
  { hrefFor, first, last }: Insertions,
): string {
  const edits: { start: number; end: number; text: string }[] = [];
  for (const link of links) {
    const href = hrefFor(link);
    if (href === null) continue;
    edits.push({ start: link.start, end: link.end, text: `"${escapeHtml(href)}"` });
  }
  edits.push({ start: bodyStart, end: bodyStart, text: first });
  edits.push({ start: bodyEnd, end: bodyEnd, text: last });
  // The sort is stable: in an empty body the beginning stays before the end.
  edits.sort((left, right) => left.start - right.start);
  let out = "";
  let at = 0;
  for (const { start, end, text } of edits) {
    out += html.slice(at, start) + text;
    at = end;
  }
  return out + html.slice(at);
}
