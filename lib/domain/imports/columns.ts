import { invalid } from "@/lib/ground/errors";
import { originalCell } from "@/lib/ground/csv";
import { columnTarget } from "./schema";

/** What a column of the file becomes. */
export type Target =
  | "email"
  | "firstName"
  | "lastName"
  | "tags"
  | "subscribed"
  | "unsubscribed"
  | "skip"
  | `data.${string}`;

const longestKey = 100;
const mostColumns = 200;

function fromHeader(cell: string): Target {
  return columnTarget(originalCell(cell.replace(/^\ufeff/, "").trim())) as Target;
}

const targetForm = /^(email|firstName|lastName|tags|subscribed|unsubscribed|skip|data\..+)$/;

/**
 * What each column becomes: by its header, or by `mapping`, one target per column with commas between.
 * Throws VALIDATION_ERROR without an address column, with two columns for one target, or a wrong key.
 */
export function readColumns(header: readonly string[], mapping?: string): Target[] {
  if (header.length > mostColumns) throw invalid("file", `has more than ${mostColumns} columns`);
  const targets = mapping
    ? mapping.split(",").map((part, index) => {
        const target = part.trim() || "skip";
        if (!targetForm.test(target)) {
          throw invalid(`columns[${index}]`, "is no field of a contact, data.<key> or skip");
        }
        return target as Target;
      })
    : header.map(fromHeader);
  if (targets.length !== header.length) {
    throw invalid("columns", `names ${targets.length} columns; the file has ${header.length}`);
  }
  const seen = new Set<string>();
  for (const target of targets) {
    if (target === "skip") continue;
    if (seen.has(target)) throw invalid("file", `has two columns for ${target}`);
    seen.add(target);
    const key = target.startsWith("data.") ? target.slice(5) : "";
    if (key.length > longestKey || key === "__proto__") {
      throw invalid("file", `has a column that cannot be a key: ${key.slice(0, longestKey)}`);
    }
  }
  if (!seen.has("email")) {
    throw invalid("file", "has no column email; its first line names the columns");
  }
  if (seen.has("subscribed") && seen.has("unsubscribed")) {
    throw invalid("file", "has both a column subscribed and a column unsubscribed");
  }
  return targets;
}
