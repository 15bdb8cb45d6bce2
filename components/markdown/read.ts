import { lexer, walkTokens, type MarkedToken, type Token } from "marked";

/** A heading below the title, with the id that GitHub gives it. */
export interface Heading {
  id: string;
  text: string;
  depth: number;
}

export interface MarkdownDocument {
  /** Its first heading, which is not part of `body`. */
  title: string;
  /** How its first paragraph begins. */
  lead: string;
  body: MarkedToken[];
  headings: Heading[];
  /** The id of each heading in `body`, and what code and tables are called. */
  names: ReadonlyMap<Token, string>;
}

const languages: Readonly<Record<string, string>> = {
  sh: "Shell",
  ts: "TypeScript",
  python: "Python",
  php: "PHP",
  json: "JSON",
  csv: "CSV",
};

/** What its mark-up leaves of it. */
export function plainText(tokens: readonly Token[]): string {
  return (tokens as readonly MarkedToken[])
    .map((token) => {
      if (token.type === "image") return "";
      if ("tokens" in token && token.tokens) return plainText(token.tokens);
      return "text" in token ? token.text : " ";
    })
    .join("");
}

/** As GitHub makes anchors of headings, so that a link with one leads to the same place in both. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

/** The first sentence, or more where it is short. */
function leadOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const end = line.slice(40).search(/[.:] /);
  return end === -1 ? line.replace(/:$/, ".") : `${line.slice(0, 40 + end)}.`;
}

/** Reads Markdown that begins with its title. */
export function readMarkdown(source: string): MarkdownDocument {
  const all = lexer(source) as MarkedToken[];
  const first = all.find((token) => token.type === "heading" && token.depth === 1);
  const body = all.filter((token) => token !== first && token.type !== "space");
  const lead = body.find((token) => token.type === "paragraph");
  const names = new Map<Token, string>();
  let blocks = 0;
  void walkTokens(body, (token) => {
    if (token.type === "table") names.set(token, `Table ${++blocks}`);
    if (token.type !== "code") return;
    const { lang = "" } = token as MarkedToken & { lang?: string };
    names.set(token, `${languages[lang] ?? "Text"} ${++blocks}`);
  });
  const seen = new Map<string, number>();
  const headings = body.flatMap((token) => {
    if (token.type !== "heading") return [];
    const text = plainText(token.tokens ?? []);
    const anchor = anchorOf(text);
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    const id = before === 0 ? anchor : `${anchor}-${before}`;
    names.set(token, id);
    return [{ id, text, depth: token.depth }];
  });
  return {
    title: first?.type === "heading" ? plainText(first.tokens ?? []) : "",
    lead: lead?.type === "paragraph" ? leadOf(plainText(lead.tokens ?? [])) : "",
    body,
    headings,
    names,
  };
}
