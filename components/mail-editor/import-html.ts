import { DOMParser as DocumentParser } from "prosemirror-model";
import { defaultTheme, type EmailDesign, type Theme } from "@/lib/mail/design/schema";
import { toDesign } from "./document";
import { mailSchema } from "./document-schema";
import { blockElement, toHex } from "./import-elements";
import { markConditions, ownBlocks, wrapConditions } from "./import-own";

const dropped = "script, style, title, meta, link, base, object, embed, iframe, noscript, template";
const hidden = /display\s*:\s*none|mso-hide\s*:\s*all/i;

/** Replaces an element with another one, which takes its content. */
function rename(element: Element, replacement: HTMLElement): HTMLElement {
  replacement.append(...element.childNodes);
  element.replaceWith(replacement);
  return replacement;
}

const isLink = (href: string) => /^(https?:|mailto:|tel:|\{\{)/i.test(href);

/** Links that look like buttons. */
function buttons(mail: Document): void {
  for (const link of mail.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    const ground =
      link.style.backgroundColor || link.closest<HTMLElement>("td")?.getAttribute("bgcolor");
    const looksPressed = link.style.display.startsWith("inline-block") && link.style.padding !== "";
    if (!ground || !looksPressed || link.querySelector("img")) continue;
    const href = link.getAttribute("href") ?? "";
    const align = link.closest("[align]")?.getAttribute("align") ?? "left";
    const button = blockElement(mail, "button", {
      href: isLink(href) ? href : "",
      align: ["left", "center", "right"].includes(align) ? align : "left",
      background: toHex(ground),
      color: toHex(link.style.color),
    });
    button.textContent = link.textContent.trim();
    (link.closest("p") ?? link).replaceWith(button);
  }
}

const hasContent = (element: Element) =>
  element.textContent.trim() !== "" || element.querySelector("img") !== null;

/** Rows of two to four cells with content become columns; other tables just their content. */
function tables(mail: Document): void {
  for (const row of [...mail.querySelectorAll("tr")].toReversed()) {
    const cells = [...row.children].filter((cell) => /^t[dh]$/i.test(cell.tagName));
    const filled = cells.filter(hasContent);
    const nested = row.querySelector('[data-mail-block="columns"]') !== null;
    const isPlain =
      row.querySelector("[data-mail-block=section], [data-mail-block=condition]") === null;
    if (filled.length >= 2 && filled.length <= 4 && !nested && isPlain) {
      const columns = blockElement(mail, "columns", {});
      for (const cell of filled) {
        const column = blockElement(mail, "column", { share: 1 });
        column.append(...cell.childNodes);
        columns.append(column);
      }
      row.replaceWith(columns);
    } else {
      for (const cell of cells) {
        if (hasContent(cell) || cell.querySelector("[data-mail-block]")) {
          rename(cell, mail.createElement("div"));
        } else cell.remove();
      }
      rename(row, mail.createElement("div"));
    }
  }
  for (const table of [...mail.querySelectorAll("table")].toReversed()) {
    rename(table, mail.createElement("div"));
  }
}

const written =
  /\{\{\s*([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)\s*(?:\|\s*default:\s*(?:'([^'{}%]*)'|"([^"{}%]*)")\s*)?\}\}/g;

/** Placeholders in texts. */
function placeholders(mail: Document): void {
  const walker = mail.createTreeWalker(mail.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const node of texts) {
    if (!node.data.includes("{{")) continue;
    const pieces: (string | Node)[] = [];
    let at = 0;
    for (const match of node.data.matchAll(written)) {
      pieces.push(node.data.slice(at, match.index));
      const holder = mail.createElement("span");
      holder.dataset["placeholder"] = "";
      holder.dataset["mail"] = JSON.stringify({
        name: match[1],
        fallback: match[2] ?? match[3] ?? "",
      });
      pieces.push(holder);
      at = match.index + match[0].length;
    }
    pieces.push(node.data.slice(at));
    node.replaceWith(...pieces.filter((piece) => piece !== ""));
  }
}

/** Tags that begin in one block and end in another would end up in different cells of a table. */
export function hasTornTags(design: EmailDesign): boolean {
  let torn = false;
  const visit = (node: { type: string; text?: string; content?: unknown[] }) => {
    const texts = (node.content ?? []) as { type: string; text?: string; content?: unknown[] }[];
    const words = texts.map(({ text = "" }) => text).join("");
    const open = words.match(/\{%-?\s*(?:if|unless|for|case)\b/g)?.length ?? 0;
    const closed = words.match(/\{%-?\s*end(?:if|unless|for|case)\b/g)?.length ?? 0;
    if (open !== closed) torn = true;
    for (const child of texts) if (child.content) visit(child);
  };
  visit(design);
  return torn;
}

/** Colours and width as the HTML has them; the rest is taken from `theme`. */
function themeFrom(mail: Document, theme: Theme): Theme {
  const sheet = mail.querySelector<HTMLElement>("table[style*=max-width][bgcolor]");
  const width = Number.parseInt(sheet?.style.maxWidth ?? "", 10);
  return {
    ...theme,
    background:
      toHex(mail.body.getAttribute("bgcolor")) ??
      toHex(mail.body.style.backgroundColor) ??
      theme.background,
    sheet: toHex(sheet?.getAttribute("bgcolor")) ?? theme.sheet,
    ...(width >= 320 && width <= 800 ? { width } : {}),
  };
}

/** Texts have the alignment of what they stand in, unless they have their own. */
function align(mail: Document): void {
  for (const element of mail.querySelectorAll<HTMLElement>("[align]:not([data-mail-block])")) {
    element.style.textAlign ||= element.getAttribute("align") ?? "";
  }
  for (const holder of mail.querySelectorAll<HTMLElement>("[data-align]")) {
    for (const text of holder.querySelectorAll<HTMLElement>("p, h1, h2, h3, h4, h5, h6")) {
      text.style.textAlign ||= holder.dataset["align"] ?? "";
    }
  }
}

function parse(html: string): Document {
  const mail = new DOMParser().parseFromString(html, "text/html");
  for (const element of mail.querySelectorAll<HTMLElement>("*")) {
    if (element.matches(dropped) || hidden.test(element.getAttribute("style") ?? ""))
      element.remove();
  }
  for (const image of mail.querySelectorAll("img[width='1'], img[height='1']")) image.remove();
  return mail;
}

function toBlocks(mail: Document, theme: Theme): EmailDesign {
  buttons(mail);
  tables(mail);
  wrapConditions(mail);
  placeholders(mail);
  align(mail);
  // A heading is bold by itself: its text is no bolder.
  for (const heading of mail.querySelectorAll<HTMLElement>("h1, h2, h3, h4, h5, h6")) {
    heading.style.removeProperty("font-weight");
  }
  const doc = DocumentParser.fromSchema(mailSchema).parse(mail.body);
  return { ...toDesign(doc), attrs: { theme } };
}

/** HTML whose blocks are marked as those that the canvas copies, as a design. Browser only. */
export const importMarked = (html: string, theme: Theme): EmailDesign =>
  toBlocks(parse(html), theme);

/**
 * HTML as a design: what it says, with its links, pictures, buttons and columns. HTML of our own making
 * comes back as the blocks it was made from. Liquid that spans blocks cannot be taken apart: then all of it
 * becomes one HTML block. Browser only.
 */
export function importHtml(html: string, theme: Theme = defaultTheme): EmailDesign {
  const mail = parse(markConditions(html));
  const foundTheme = themeFrom(mail, theme);
  ownBlocks(mail);
  const design = toBlocks(mail, foundTheme);
  if (!hasTornTags(design)) return design;
  const body = new DOMParser().parseFromString(html, "text/html").body.innerHTML;
  return { ...design, content: [{ type: "html", attrs: { html: body.trim() } }] };
}
