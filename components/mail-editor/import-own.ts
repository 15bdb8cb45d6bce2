import { networks } from "@/lib/mail/design/schema";
import { escapeHtml } from "@/lib/ground/escape-html";
import { blockElement, toHex } from "./import-elements";

/*
 * Turns HTML that lib/mail/design made back into its blocks: the class of each row's cell says which it is.
 */

const begin = /^\{% if (.{1,1200}) %\}$/gm;
const end = /^\{% endif %\}$/gm;

/** Conditions stand between rows, where the browser's parser leaves no text: rows of their own mark them. */
export function markConditions(html: string): string {
  if (!html.includes('class="b-')) return html;
  return html
    .replace(
      begin,
      (_, words: string) => `<tr><td class="b-if" data-words="${escapeHtml(words)}"></td></tr>`,
    )
    .replace(end, '<tr><td class="b-endif"></td></tr>');
}

const sign = { "==": "eq", "!=": "ne", ">": "gt", "<": "lt", contains: "contains" } as const;

function conditionOf(words: string): object | null {
  const present = /^(\S+) and \1 != blank$/.exec(words);
  if (present) return { field: present[1], operator: "present", value: "" };
  const absent = /^(\S+) == nil or \1 == blank$/.exec(words);
  if (absent) return { field: absent[1], operator: "absent", value: "" };
  const compared = /^(\S+) (==|!=|>|<|contains) (?:'([^']*)'|"([^"]*)"|(-?[\d.]+))/.exec(words);
  if (!compared) return null;
  const [, field, operator, single, double, number] = compared;
  return {
    field,
    operator: sign[operator as keyof typeof sign],
    value: single ?? double ?? number ?? "",
  };
}

/** The blocks between two marks, into a condition. */
export function wrapConditions(mail: Document): void {
  for (const mark of mail.querySelectorAll<HTMLElement>("div.b-if")) {
    const attrs = conditionOf(mark.dataset["words"] ?? "");
    // Cell and row are elements of their own by now.
    const row = mark.parentElement?.parentElement;
    if (!attrs || !row) continue;
    const block = blockElement(mail, "condition", attrs);
    for (let next = row.nextSibling; next; next = row.nextSibling) {
      if (next instanceof HTMLElement && next.querySelector(".b-endif")) {
        next.remove();
        break;
      }
      block.append(next);
    }
    row.replaceWith(block);
  }
}

const textOf = (element: Element | null | undefined) => element?.textContent.trim() ?? "";
const alignOf = (cell: Element) => cell.getAttribute("align") ?? "left";
const pictureOf = (cell: Element) => {
  const image = cell.querySelector("img");
  return { src: image?.getAttribute("src") ?? "", alt: image?.getAttribute("alt") ?? "" };
};
const hrefOf = (element: Element | null) => element?.closest("a")?.getAttribute("href") ?? "";

/** What each class of cell becomes; null: its content is read like any other. */
const readers: Record<string, (cell: HTMLElement, mail: Document) => HTMLElement | null> = {
  "b-button": (cell, mail) => {
    const link = cell.querySelector("a");
    const block = blockElement(mail, "button", {
      href: link?.getAttribute("href") ?? "",
      align: alignOf(cell),
      background: toHex(cell.querySelector("[bgcolor]")?.getAttribute("bgcolor")),
      color: toHex(link?.style.color),
    });
    block.append(...(link?.childNodes ?? []));
    return block;
  },
  "b-image": (cell, mail) => {
    const width = Number(cell.querySelector("img")?.getAttribute("width"));
    const href = hrefOf(cell.querySelector("img"));
    return blockElement(mail, "image", {
      ...pictureOf(cell),
      href,
      align: alignOf(cell),
      width: Number.isInteger(width) ? width : null,
    });
  },
  "b-divider": (_, mail) => blockElement(mail, "divider", {}),
  "b-spacer": (cell, mail) =>
    blockElement(mail, "spacer", { height: Number.parseInt(cell.style.height, 10) || 24 }),
  "b-social": (cell, mail) =>
    blockElement(mail, "social", {
      align: alignOf(cell),
      links: [...cell.querySelectorAll("a")]
        .map((link) => ({ network: textOf(link), url: link.getAttribute("href") ?? "" }))
        .filter(({ network }) => networks.some((supported) => supported === network)),
    }),
  "b-product": (cell, mail) => {
    const words = [...cell.querySelectorAll<HTMLElement>("div")];
    const link = words.find((line) => line.querySelector("a"));
    const [title, ...others] = words.filter((line) => line !== link);
    const price = others.find((line) => line.style.fontWeight === "bold");
    return blockElement(mail, "product", {
      ...pictureOf(cell),
      title: textOf(title),
      text: textOf(others.find((line) => line !== price)),
      price: textOf(price),
      href: link?.querySelector("a")?.getAttribute("href") ?? "",
      action: textOf(link),
    });
  },
  "b-html": (cell, mail) => blockElement(mail, "html", { html: cell.innerHTML }),
  "b-footer": (cell, mail) => {
    const block = blockElement(mail, "footer", { align: alignOf(cell) });
    block.append(...cell.childNodes);
    return block;
  },
  "b-paragraph": (cell, mail) => {
    const text = mail.createElement("p");
    text.style.textAlign = alignOf(cell);
    if (textOf(cell) !== "\u00a0") text.append(...cell.childNodes);
    return text;
  },
  "b-heading": (cell) => {
    const heading = cell.querySelector<HTMLElement>("h1, h2, h3");
    if (heading) heading.style.textAlign = alignOf(cell);
    return heading;
  },
  "b-bullets": (cell, mail) => listOf(cell, mail, "ul"),
  "b-numbers": (cell, mail) => listOf(cell, mail, "ol"),
};

function listOf(cell: HTMLElement, mail: Document, name: "ul" | "ol"): HTMLElement {
  const list = mail.createElement(name);
  for (const row of cell.querySelectorAll("tr")) {
    const item = mail.createElement("li");
    const text = mail.createElement("p");
    text.append(...(row.lastElementChild?.childNodes ?? []));
    item.append(text);
    list.append(item);
  }
  return list;
}

/** The rows of a section's or a column's own table, one below the other. */
function rowsOf(cell: HTMLElement): ChildNode[] {
  const body = cell.querySelector(":scope > table > tbody");
  return body
    ? [...body.children].flatMap((row) => [...(row.firstElementChild?.childNodes ?? [])])
    : [];
}

/** Puts blocks in place of the cells that they were written as, the innermost first. */
export function ownBlocks(mail: Document): void {
  for (const [name, reader] of Object.entries(readers)) {
    for (const cell of mail.querySelectorAll<HTMLElement>(`td.${name}`)) {
      const block = reader(cell, mail);
      if (block) cell.replaceChildren(block);
    }
  }
  for (const cell of mail.querySelectorAll<HTMLElement>("td.b-columns")) {
    const columns = blockElement(mail, "columns", {});
    const cells = [
      ...cell.querySelectorAll<HTMLElement>(":scope > table > tbody > tr > td.column"),
    ];
    const widths = cells.map((part) => Number(part.getAttribute("width")) || 1);
    const least = Math.min(...widths);
    cells.forEach((part, index) => {
      const share = Math.min(6, Math.max(1, Math.round((widths[index] ?? least) / least)));
      const column = blockElement(mail, "column", { share });
      column.append(...rowsOf(part));
      columns.append(column);
    });
    cell.replaceChildren(columns);
  }
  for (const cell of mail.querySelectorAll<HTMLElement>("td.b-section")) {
    const section = blockElement(mail, "section", {
      background: toHex(cell.getAttribute("bgcolor")) ?? "#ffffff",
      color: null,
    });
    section.append(...rowsOf(cell));
    cell.replaceChildren(section);
  }
  for (const mark of mail.querySelectorAll<HTMLElement>("td.b-if, td.b-endif")) {
    const stand = mail.createElement("div");
    stand.className = mark.className;
    if (mark.dataset["words"]) stand.dataset["words"] = mark.dataset["words"];
    // Not blank: a cell without anything in it is left out.
    stand.dataset["mailBlock"] = "mark";
    mark.replaceChildren(stand);
  }
}
