import { invalid } from "@/lib/ground/errors";
import { originalCell } from "@/lib/ground/csv";
import { columnKinds, type ColumnKind } from "./kinds-schema";
import { columnTargets, mayRepeat } from "./schema";

/** The field that a column of the file is imported into. */
export type Target =
  | "email"
  | "firstName"
  | "lastName"
  | "tags"
  | "subscribed"
  | "unsubscribed"
  | "attributes"
  | "skip"
  | `data.${string}`;

/** A column of the file: what it becomes, and as what its cells are stored. */
export interface Column {
  target: Target;
  /** null when their look decides. Only custom attributes have one. */
  kind: ColumnKind | null;
  /** Its numbers are written as `2.664,39`. */
  decimalComma?: boolean;
}

/** A cell without the character that an export put in front of it, and without surrounding blanks. */
export const cellText = (cell: string | undefined) => originalCell(cell ?? "").trim();

export const longestKey = 100;
const mostColumns = 200;

function fromHeader(header: readonly string[]): Column[] {
  const names = header.map((cell) => originalCell(cell.trim()));
  return columnTargets(names).map((target) => ({ target: target as Target, kind: null }));
}

const targetForm =
  /^(email|firstName|lastName|tags|subscribed|unsubscribed|attributes|skip|data\..+?)$/;

/** `data.age:number` to its two halves. */
function withKind(part: string): [target: string, kind: ColumnKind | null] {
  const kind = columnKinds.find((name) => part.startsWith("data.") && part.endsWith(`:${name}`));
  return kind ? [part.slice(0, -kind.length - 1), kind] : [part, null];
}

/**
 * What each column becomes: by its header, or by `mapping`, one target per column with commas between.
 * Throws VALIDATION_ERROR without an address column, with two columns for one target, or a wrong key.
 */
export function readColumns(header: readonly string[], mapping?: string): Column[] {
  if (header.length > mostColumns) throw invalid("file", `has more than ${mostColumns} columns`);
  const columns = mapping
    ? mapping.split(",").map((part, index) => {
        const [target, kind] = withKind(part.trim() || "skip");
        if (!targetForm.test(target)) {
          throw invalid(
            `columns[${index}]`,
            "is not a field of a contact, data.<key>, attributes or skip",
          );
        }
        return { target: target as Target, kind };
      })
    : fromHeader(header);
  if (columns.length !== header.length) {
    throw invalid("columns", `names ${columns.length} columns; the file has ${header.length}`);
  }
  const seen = new Set<string>();
  for (const { target } of columns) {
    if (seen.has(target) && !mayRepeat(target))
      throw invalid("file", `has two columns for ${target}`);
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
  return columns;
}
