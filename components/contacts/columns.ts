import { amount } from "@/lib/ground/amount";
import { fullDay } from "@/components/ui/dates";
import type { Contact } from "@/lib/domain/contacts/schema";
import { phrases, t } from "@/lib/ground/texts/t";

/** What the list shows beside a person, if the reader wants it. */
export const ownColumns = phrases({
  subscription: "Subscription",
  tags: "Tags",
  createdAt: "Added",
  updatedAt: "Last changed",
});
export type OwnColumn = keyof typeof ownColumns;

/** One of a contact's own, or a custom field as `data.plan`. */
export type Column = OwnColumn | `data.${string}`;

export const usualColumns: readonly Column[] = ["subscription", "tags", "createdAt"];
/** More do not fit beside each other. */
export const mostFieldColumns = 5;
/** Of the project whose list has its path. */
export const columnsCookie = "contact-columns";
/** Browsers drop larger cookies without a word. */
const largestCookie = 3_500;

export const isOwn = (column: Column): column is OwnColumn => column in ownColumns;
export const fieldColumn = (key: string): Column => `data.${key}`;
export const fieldOf = (column: Column): string => column.slice("data.".length);

const isColumn = (text: unknown): text is Column =>
  typeof text === "string" && (text in ownColumns || /^data\../.test(text));

/** A person's own first, then the fields as they were chosen, then the times. */
function inOrder(columns: readonly Column[]): Column[] {
  const times: readonly Column[] = ["createdAt", "updatedAt"];
  const own = (Object.keys(ownColumns) as OwnColumn[]).filter((column) => columns.includes(column));
  return [
    ...own.filter((column) => !times.includes(column)),
    ...columns.filter((column) => !isOwn(column)).slice(0, mostFieldColumns),
    ...own.filter((column) => times.includes(column)),
  ];
}

/** The columns that a cookie's value, decoded, asks for; the usual ones when it cannot be read. */
export function parseColumns(value: string | undefined): readonly Column[] {
  if (value === undefined) return usualColumns;
  try {
    const chosen: unknown = JSON.parse(value);
    if (!Array.isArray(chosen) || !chosen.every(isColumn)) return usualColumns;
    return inOrder([...new Set(chosen)]);
  } catch {
    return usualColumns;
  }
}

const encoded = (columns: readonly Column[]) => encodeURIComponent(JSON.stringify(columns));

/** The columns with one more or less; null where that one is too many. */
export function toggled(columns: readonly Column[], column: Column): readonly Column[] | null {
  if (columns.includes(column)) return columns.filter((other) => other !== column);
  const more = inOrder([...columns, column]);
  return more.includes(column) && encoded(more).length <= largestCookie ? more : null;
}

/** Remembers them for a year, for the project's list at `path`; the usual ones need no remembering. Browser only. */
export function keepColumns(columns: readonly Column[], path: string): void {
  const isUsual = encoded(columns) === encoded(usualColumns);
  document.cookie = `${columnsCookie}=${isUsual ? "" : encoded(columns)}; path=${path}; max-age=${isUsual ? 0 : 31_536_000}; samesite=lax`;
}

const instant = /^\d{4}-\d{2}-\d{2}($|T\d{2}:\d{2})/;

/** A custom field's value in a cell; a dash where there is none. */
export function fieldText({ data }: Contact, key: string): string {
  const value = Object.hasOwn(data, key) ? data[key] : null;
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "number") return amount(value);
  if (typeof value === "boolean") return value ? t("yes") : t("no");
  if (typeof value !== "string") return JSON.stringify(value);
  const time = instant.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? value : fullDay(new Date(time), "UTC");
}
