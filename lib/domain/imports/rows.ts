import { normalizeAddress } from "@/lib/mail/address";
import { largestData, tooLarge } from "@/lib/domain/contacts/schema";
import type { Column } from "./columns";
import { cellText } from "./columns";
import { valueOf } from "./kinds-schema";

/** A line of the file as it is staged. */
export interface StagedRow {
  email: string;
  firstName: string | null;
  lastName: string | null;
  tags: string[] | null;
  subscribed: "true" | "false" | null;
  data: Record<string, string | number | boolean>;
  /** Why it is refused; null when it is not. */
  refusal: string | null;
}

const yes = new Set(["true", "1", "yes", "y", "subscribed"]);
const no = new Set(["false", "0", "no", "n", "unsubscribed"]);

/** Reads a line by its columns. Anything that cannot be imported is refused with a sentence, never guessed. */
export function readRow(cells: readonly string[], columns: readonly Column[]): StagedRow {
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
    refuse(`has ${cells.length} cells where the header has ${columns.length}`);
  }
  for (const [index, { target, kind }] of columns.entries()) {
    const text = cellText(cells[index]);
    if (text.includes("\0") || !text.isWellFormed()) {
      refuse(`${target} holds characters that cannot be stored`);
      continue;
    }
    if (target === "email") {
      row.email = text.slice(0, 320);
      const address = normalizeAddress(text);
      if (address) row.email = address;
      else refuse(text ? "email is not an email address" : "email is missing");
    } else if (target === "firstName" || target === "lastName") {
      if (text.length > 200 || /[\r\n]/.test(text))
        refuse(`${target} is too long or has line breaks`);
      else if (text) row[target] = text;
    } else if (target === "tags") {
      const tags = [...new Set(text.split(/[,;]/).map((tag) => tag.trim()))].filter(Boolean);
      if (tags.length > 100 || tags.some((tag) => tag.length > 100))
        refuse("tags are too many or too long");
      else if (tags.length > 0) row.tags = tags;
    } else if (target === "subscribed" || target === "unsubscribed") {
      const value = text.toLowerCase();
      if (yes.has(value) || no.has(value)) {
        row.subscribed = yes.has(value) === (target === "subscribed") ? "true" : "false";
      } else if (value) refuse(`${target} is neither true nor false`);
    } else if (target !== "skip" && text) {
      const value = valueOf(kind ?? "text", text);
      if (text.length > 10_000) refuse(`${target} is longer than 10000 characters`);
      else if (value === undefined) refuse(`${target} is not a ${kind ?? "text"}`);
      else row.data[target.slice(5)] = value;
    }
  }
  if (JSON.stringify(row.data).length > largestData) refuse(tooLarge);
  return row;
}
