import type { Brand } from "@/lib/mail/design/brand-schema";
import type { EmailDesign } from "@/lib/mail/design/schema";
import { t } from "@/lib/ground/texts/t";
import { blockNames, type BlockName } from "./block-words";

interface AnyNode {
  type: string;
  text?: string;
  attrs?: Record<string, unknown>;
  marks?: { type: string; attrs?: Record<string, unknown> }[];
  content?: AnyNode[];
}

function plainWords({ text, type, attrs, content }: AnyNode): string {
  if (type === "break") return " ⏎ ";
  if (type !== "placeholder") return text ?? (content ?? []).map(words).join("");
  const { name, fallback } = attrs as { name: string; fallback: string };
  return fallback === ""
    ? `{{ ${name} }}`
    : t("'{{' {name} or “{fallback}” '}}'", { name, fallback });
}

/** A text, with what it carries behind it: `read on [link https://example.com, bold]`. */
function words(node: AnyNode): string {
  const marks = (node.marks ?? []).map(({ type, attrs }) =>
    [type, ...Object.values(attrs ?? {})].join(" "),
  );
  return plainWords(node) + (marks.length > 0 ? ` [${marks.join(", ")}]` : "");
}

/** `width 600`, for each attribute that says something. */
const attributes = (attrs: object): string[] =>
  Object.entries(attrs)
    .filter(([, value]) => value !== "" && value !== null)
    .map(([key, value]) => `${key} ${typeof value === "string" ? value : JSON.stringify(value)}`);

const look = (theme: object) => t("Look: {look}", { look: attributes(theme).join(", ") });

function lines(node: AnyNode, depth: number): string[] {
  const name = blockNames[node.type as BlockName];
  const inner = node.content ?? [];
  const isText = inner.every(({ type }) => ["text", "placeholder", "break"].includes(type));
  const label = [name, ...attributes(node.attrs ?? {})].join(", ");
  const indent = "  ".repeat(depth);
  return isText
    ? [`${indent}${label}${inner.length > 0 ? `: ${words(node)}` : ""}`]
    : [`${indent}${label}`, ...inner.flatMap((child) => lines(child, depth + 1))];
}

/** A design as lines of text, one per block, for people to compare. */
export function designText(design: EmailDesign | null): string {
  if (!design) return "";
  return [
    look(design.attrs.theme),
    ...(design.attrs.language === undefined
      ? []
      : [t("Language: {language}", { language: design.attrs.language })]),
    ...(design.content as AnyNode[]).flatMap((block) => lines(block, 0)),
  ].join("\n");
}

/** A brand as lines of text, for people to compare. */
export const brandText = ({ theme, colours, logo }: Brand): string =>
  [
    look(theme),
    colours.length > 0
      ? t("Further colours: {colours}", { colours: colours.join(", ") })
      : t("Further colours: none"),
    logo ? t("Logo: {logo}", { logo: attributes(logo).join(", ") }) : t("Logo: none"),
  ].join("\n");
