import type { Condition } from "./schema";
import { escapeHtml } from "@/lib/ground/escape-html";

const quoted = (value: string) => (value.includes("'") ? `"${value}"` : `'${value}'`);

/** `{{ firstName | default: 'there' }}` */
export function placeholderSource(name: string, fallback: string): string {
  return fallback === "" ? `{{ ${name} }}` : `{{ ${name} | default: ${quoted(fallback)} }}`;
}

/** Within `{% if ... %}`. A number-like value is a number in some contacts and text in others. */
export function conditionSource({ field, operator, value }: Condition["attrs"]): string {
  const number = /^-?\d+(\.\d+)?$/.test(value) ? value : null;
  switch (operator) {
    case "present":
      return `${field} and ${field} != blank`;
    case "absent":
      return `${field} == nil or ${field} == blank`;
    case "eq":
      return number
        ? `${field} == ${quoted(value)} or ${field} == ${number}`
        : `${field} == ${quoted(value)}`;
    case "ne":
      return number
        ? `${field} != ${quoted(value)} and ${field} != ${number}`
        : `${field} != ${quoted(value)}`;
    case "contains":
      return `${field} contains ${quoted(value)}`;
    case "gt":
    case "lt":
      return `${field} ${operator === "gt" ? ">" : "<"} ${number ?? quoted(value)}`;
  }
}

/** Liquid within a text: it is not escaped, or its quotation marks and signs would mean nothing. */
const liquid = /(\{\{[^{}]*\}\}|\{%[^{}%]*%\})/;

const escaped = (text: string, characters: RegExp) =>
  text
    .split(liquid)
    .map((part, index) => (index % 2 === 1 ? part : escapeHtml(part, characters)))
    .join("");

/** Text between tags. */
export const inText = (text: string) => escaped(text, /[&<>]/g);
/** Text between double quotation marks. */
export const inAttribute = (text: string) => escaped(text, /[&<>"]/g).replaceAll("\n", " ");
