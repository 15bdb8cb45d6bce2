import { decodeXML } from "entities";
import { XMLParser } from "fast-xml-parser";

/** An element of MJML. */
export interface MjmlNode {
  name: string;
  /** Its attribute by that name, or what the head sets for it; empty: none. */
  attr: (name: string) => string;
  /** What stands in it, as HTML, where it holds no elements of MJML. */
  html: string;
  /** A text that stands between its elements, where MJML has none. */
  loose: string;
  children: readonly MjmlNode[];
}

/** A comment, or the beginning of an element whose content is HTML rather than MJML. */
const htmlBegins =
  /<!--|<(mj-(?:text|button|raw|table|social-element|navbar-link|accordion-title|accordion-text|title|preview|style))(?=[\s/>])/g;

/** Where a tag ends, past its quoted attributes; -1: it does not. */
function endOfTag(source: string, from: number): number {
  let quote = "";
  for (let at = from; at < source.length; at++) {
    const character = source[at] ?? "";
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at;
  }
  return -1;
}

/** The elements of MJML without comments, the HTML in them replaced by its number; null: one is not closed. */
function apart(source: string): { xml: string; htmls: readonly string[] } | null {
  const htmls: string[] = [];
  const pieces: string[] = [];
  let at = 0;
  htmlBegins.lastIndex = 0;
  for (let begin = htmlBegins.exec(source); begin; begin = htmlBegins.exec(source)) {
    const name = begin[1];
    pieces.push(source.slice(at, begin.index));
    if (name === undefined) {
      const end = source.indexOf("-->", begin.index);
      if (end === -1) return null;
      at = end + 3;
    } else {
      const opened = endOfTag(source, begin.index);
      if (opened === -1) return null;
      pieces.push(source.slice(begin.index, opened + 1));
      at = opened + 1;
      if (source[opened - 1] !== "/") {
        const closed = source.indexOf(`</${name}`, opened);
        if (closed === -1) return null;
        pieces.push(String(htmls.push(source.slice(opened + 1, closed)) - 1));
        at = closed;
      }
    }
    htmlBegins.lastIndex = at;
  }
  pieces.push(source.slice(at));
  return { xml: pieces.join(""), htmls };
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  allowBooleanAttributes: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // Attributes are decoded below.
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: 50,
});

type Parsed = Record<string, unknown>;
type Attributes = Readonly<Record<string, string>>;
/** What the head sets for elements by name (`mj-text`, `mj-all`) and by class (`.quiet`). */
type Standards = ReadonlyMap<string, Attributes>;

const nameOf = (parsed: Parsed) => Object.keys(parsed).find((key) => key !== ":@") ?? "";
const insideOf = (parsed: Parsed): readonly Parsed[] => {
  const inside = parsed[nameOf(parsed)];
  return Array.isArray(inside) ? (inside as Parsed[]) : [];
};
const elementsOf = (parsed: readonly Parsed[]) =>
  parsed.filter((each) => !nameOf(each).startsWith("#"));
const attributesOf = (parsed: Parsed): Attributes =>
  Object.fromEntries(
    Object.entries((parsed[":@"] ?? {}) as Parsed).map(([key, value]) => [
      key,
      typeof value === "string" ? decodeXML(value).trim() : "",
    ]),
  );

function standardsOf(head: readonly Parsed[]): Standards {
  const standards = new Map<string, Attributes>();
  for (const holder of head.filter((each) => nameOf(each) === "mj-attributes")) {
    for (const each of elementsOf(insideOf(holder))) {
      const attributes = attributesOf(each);
      const key = nameOf(each) === "mj-class" ? `.${attributes["name"] ?? ""}` : nameOf(each);
      standards.set(key, { ...standards.get(key), ...attributes });
    }
  }
  return standards;
}

function toNode(parsed: Parsed, standards: Standards, htmls: readonly string[]): MjmlNode {
  const name = nameOf(parsed);
  const own = attributesOf(parsed);
  const classes = (own["mj-class"] ?? "").split(" ").filter((each) => each !== "");
  // The nearest first.
  const sources = [
    own,
    ...classes.toReversed().map((each) => standards.get(`.${each}`)),
    standards.get(name),
    standards.get("mj-all"),
  ];
  const inside = insideOf(parsed);
  const texts = inside.flatMap(({ "#text": text }) =>
    typeof text === "string" && text.trim() !== "" ? [text] : [],
  );
  // Its HTML has been replaced by a number.
  const html = texts.map((text) => htmls[Number(text)]).find((each) => each !== undefined);
  return {
    name,
    attr: (wanted) => sources.find((source) => source?.[wanted])?.[wanted] ?? "",
    html: html?.trim() ?? "",
    loose: html === undefined ? texts.join(" ") : "",
    children: elementsOf(inside).map((each) => toNode(each, standards, htmls)),
  };
}

/** The body of a text in MJML, and what its head says beside attributes; null: it cannot be read. */
export function readMjml(source: string): { body: MjmlNode; head: readonly MjmlNode[] } | null {
  const parts = apart(source);
  if (!parts) return null;
  let parsed: Parsed[];
  try {
    parsed = parser.parse(parts.xml) as Parsed[];
  } catch {
    return null;
  }
  const root = parsed.find((each) => nameOf(each) === "mjml");
  const halves = root ? elementsOf(insideOf(root)) : [];
  const body = halves.find((each) => nameOf(each) === "mj-body");
  if (!body) return null;
  const head = halves
    .filter((each) => nameOf(each) === "mj-head")
    .flatMap((each) => elementsOf(insideOf(each)));
  const standards = standardsOf(head);
  return {
    body: toNode(body, standards, parts.htmls),
    head: head.map((each) => toNode(each, standards, parts.htmls)),
  };
}
