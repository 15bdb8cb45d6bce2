import { asc, desc, sql, type Column, type SQL } from "drizzle-orm";
import { notOfThisList, readCursor, readCursorParts, uuidForm } from "./cursor";

/** What a list can be sorted by besides its ids, which are in the order of creation. Never null. */
export interface SortKey {
  value: SQL;
  /** `number`: whole, as a bigint. */
  as: "text" | "number";
}

/** A time as a key: microseconds since 1970. */
export const timeSortKey = (time: SQL): SortKey => ({
  value: sql`(extract(epoch from ${time}) * 1000000)::bigint`,
  as: "number",
});

interface Order {
  by: SQL[];
  /** What lies behind the cursor; undefined: everything. */
  after: SQL | undefined;
  /** To be selected with each row, as `key`. */
  key: SQL<string>;
  cursorOf: (row: { id: string; key: string }) => string[];
}

/** Where a cursor of the order stands. Throws VALIDATION_ERROR for one of another order, and for no value of the key. */
function placeOf(cursor: string, name: string, as: SortKey["as"]): { key: string; id: string } {
  const [of, key = "", id = ""] = readCursorParts(cursor, 3);
  const isValue = as === "number" ? /^-?\d{1,18}$/.test(key) : !key.includes("\0");
  if (of !== name || !isValue || !uuidForm.test(id)) throw notOfThisList();
  return { key, id };
}

/**
 * The order of a list and where its cursor stands: by a key and, where that is the same, by id; without `sort`, and by
 * `createdAt`, by id alone, the newest first. `-name` goes from the last to the first. A row whose key changes
 * while somebody goes through the pages may be seen twice or not at all. Throws VALIDATION_ERROR for a cursor
 * of another order.
 */
export function inOrder(
  { sort = "-createdAt", cursor }: { sort?: string | undefined; cursor?: string | undefined },
  id: Column,
  keys: Readonly<Record<string, SortKey>>,
): Order {
  const down = sort.startsWith("-");
  const name = down ? sort.slice(1) : sort;
  const direction = down ? desc : asc;
  const beyond = down ? sql`<` : sql`>`;
  const key = keys[name];
  if (!key) {
    const last = readCursor(cursor);
    return {
      by: [direction(id)],
      after: last === null ? undefined : sql`${id} ${beyond} ${last}::uuid`,
      key: sql<string>`''`,
      cursorOf: (row) => [row.id],
    };
  }
  const last = cursor === undefined ? null : placeOf(cursor, name, key.as);
  const value = last && (key.as === "number" ? sql`${last.key}::bigint` : sql`${last.key}::text`);
  return {
    by: [direction(key.value), direction(id)],
    after:
      last === null ? undefined : sql`(${key.value}, ${id}) ${beyond} (${value}, ${last.id}::uuid)`,
    key: sql<string>`(${key.value})::text`,
    cursorOf: (row) => [name, row.key, row.id],
  };
}
