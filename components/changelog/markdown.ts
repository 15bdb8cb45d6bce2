/** A stretch of text with one look. */
export interface Span {
  text: string;
  look: "plain" | "strong" | "code";
}

export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; spans: Span[] }
  | { kind: "list"; items: Span[][] };

function spansOf(text: string): Span[] {
  return text
    .split(/(\*\*.+?\*\*|`[^`]+`)/)
    .filter((part) => part !== "")
    .map((part) => {
      if (/^\*\*.+\*\*$/.test(part)) return { text: part.slice(2, -2), look: "strong" };
      if (/^`.+`$/.test(part)) return { text: part.slice(1, -1), look: "code" };
      return { text: part, look: "plain" };
    });
}

/** The Markdown that a changelog is written in: headings, paragraphs, lists, bold and code. */
export function readMarkdown(source: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let items: string[] | null = null;
  const end = () => {
    if (items) blocks.push({ kind: "list", items: items.map(spansOf) });
    else if (lines.length > 0) blocks.push({ kind: "paragraph", spans: spansOf(lines.join(" ")) });
    lines = [];
    items = null;
  };
  for (const line of source.split(/\r?\n/)) {
    const heading = /^(#{1,6}) +(.*)$/.exec(line);
    const item = /^ {0,3}[-*] +(.*)$/.exec(line);
    if (heading) {
      end();
      blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, text: heading[2] ?? "" });
    } else if (item) {
      if (!items) end();
      items = [...(items ?? []), item[1] ?? ""];
    } else if (line.trim() === "") {
      end();
    } else if (items) {
      items = [...items.slice(0, -1), `${items.at(-1) ?? ""} ${line.trim()}`];
    } else {
      lines.push(line.trim());
    }
  }
  end();
  return blocks;
}
