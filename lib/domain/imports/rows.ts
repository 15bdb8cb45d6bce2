import { inEnglish } from "@/lib/ground/texts/kept-text";
import { normalizeAddress } from "@/lib/mail/address";
import { storableFault } from "@/lib/ground/storable";
import { dataFault, tooLarge } from "@/lib/domain/contacts/schema";
import type { Column } from "./columns";
import { cellText, longestKey } from "./columns";
import { noWords, valueOf, yesWords, type ColumnKind } from "./kinds-schema";

/** A line of the file as it is staged. */
export interface StagedRow {
  email: string;
  firstName: string | null;
  lastName: string | null;
  tags: string[] | null;
  subscribed: "true" | "false" | null;
  data: Record<string, unknown>;
  /** Why it is refused; null when it is not. */
  refusal: string | null;
}

/** What other products call people: these words mean the same in whichever column they stand. */
const subscribedWords = new Set(["subscribed", "enabled", "active", "confirmed"]);
const unsubscribedWords = new Set([
  "unsubscribed",
  "nonsubscribed",
  "non-subscribed",
  "cleaned",
  "bounced",
  "complained",
  "blocklisted",
  "disabled",
  "inactive",
  "pending",
  "unconfirmed",
  "transactional",
  "archived",
]);
/** When somebody left, as `2026-03-31 09:30:00`. */
const day = /^\d{4}-\d\d-\d\d/;

/** What a cell says about somebody; undefined when it says neither. */
function consentIn(
  target: "subscribed" | "unsubscribed",
  text: string,
): "true" | "false" | undefined {
  if (subscribedWords.has(text)) return "true";
  if (unsubscribedWords.has(text)) return "false";
  const denied = noWords.has(text);
  if (target === "subscribed") return yesWords.has(text) ? "true" : denied ? "false" : undefined;
  return yesWords.has(text) || day.test(text) ? "false" : denied ? "true" : undefined;
}

function notOfKind(field: string, kind: ColumnKind): string {
  if (kind === "number") return inEnglish("{field} is not a number", { field });
  if (kind === "date") return inEnglish("{field} is not a date", { field });
  return inEnglish("{field} is not a {kind}", { field, kind });
}

/** The members of a JSON object; null when it is none, or cannot be stored. */
function attributesIn(text: string): [string, unknown][] | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  const fits = members.every(([key]) => key !== "" && key.length <= longestKey);
  return fits && storableFault(value) === null ? members : null;
}

/** Separated by commas or semicolons; those in quotes may hold either. */
const tagsIn = (text: string): string[] => [
  ...new Set((text.match(/"[^"]*"|[^,;]+/g) ?? []).map((tag) => tag.replace(/^"|"$/g, "").trim())),
];

/**
 * Reads a line by its columns. Anything that cannot be imported is refused with a sentence, never guessed.
 * `unsubscribed`: people of whom no column says otherwise are.
 */
export function readRow(
  cells: readonly string[],
  columns: readonly Column[],
  { unsubscribed = false } = {},
): StagedRow {
  const row: StagedRow = {
    email: "",
    firstName: null,
    lastName: null,
    tags: null,
    subscribed: null,
    data: {},
    refusal: null,
  };
  const refuse = (reason: string) => (row.refusal ??= reason);
  if (cells.length !== columns.length) {
    refuse(
      inEnglish("has {cells} cells where the header has {columns}", {
        cells: cells.length,
        columns: columns.length,
      }),
    );
  }
  for (const [index, { target, kind, decimalComma }] of columns.entries()) {
    const text = cellText(cells[index]);
    if (text.includes("\0") || !text.isWellFormed()) {
      refuse(inEnglish("{field} holds characters that cannot be stored", { field: target }));
      continue;
    }
    if (target === "email") {
      row.email = text.slice(0, 320);
      const address = normalizeAddress(text);
      if (address) row.email = address;
      else
        refuse(text ? inEnglish("email is not an email address") : inEnglish("email is missing"));
    } else if (target === "firstName" || target === "lastName") {
      if (text.length > 200 || /[\r\n]/.test(text))
        refuse(inEnglish("{field} is too long or has line breaks", { field: target }));
      else if (text) row[target] = text;
    } else if (target === "tags") {
      const tags = tagsIn(text).filter(Boolean);
      if (tags.length > 100 || tags.some((tag) => tag.length > 100))
        refuse(inEnglish("tags are too many or too long"));
      else if (tags.length > 0) row.tags = tags;
    } else if (target === "subscribed" || target === "unsubscribed") {
      const value = consentIn(target, text.toLowerCase());
      if (value === undefined && text)
        refuse(inEnglish("{field} is neither true nor false", { field: target }));
      // Whoever has left by one column has left, whatever the others say.
      if (value && row.subscribed !== "false") row.subscribed = value;
    } else if (target === "attributes") {
      const members = text ? attributesIn(text) : [];
      if (!members) refuse(inEnglish("attributes is not a JSON object that can be stored"));
      for (const [key, member] of members ?? []) row.data[key] = member;
    } else if (target !== "skip" && text) {
      const value = valueOf(kind ?? "text", text, decimalComma);
      if (text.length > 10_000)
        refuse(inEnglish("{field} is longer than 10000 characters", { field: target }));
      else if (value === undefined) refuse(notOfKind(target, kind ?? "text"));
      else row.data[target.slice(5)] = value;
    }
  }
  if (unsubscribed) row.subscribed ??= "false";
  if (dataFault(row.data)) refuse(tooLarge);
  return row;
}
