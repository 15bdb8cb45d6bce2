import { invalid } from "@/lib/ground/errors";
import type { Page } from "./schema";

/** Cursor text from the sort key of a page's last row. */
export function writeCursor(...parts: string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

export const notOfThisList = () => invalid("cursor", "is not a cursor of this list");

/** The parts of a cursor that has `count` of them; throws VALIDATION_ERROR for anything else. */
export function readCursorParts(cursor: string, count: number, wrong = notOfThisList): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (
      Array.isArray(parts) &&
      parts.length === count &&
      parts.every((part): part is string => typeof part === "string")
    ) {
      return parts;
    }
  } catch {
    // Not JSON: the same answer as for a wrong shape.
  }
  throw wrong();
}

export const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The uuid a cursor over ids stands at; null without a cursor. */
export function readCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const [uuid] = readCursorParts(cursor, 1);
  if (!uuid || !uuidForm.test(uuid)) throw notOfThisList();
  return uuid;
}

/** Cuts off the one row read beyond the page and turns it into the cursor. */
export function pageOf<Row, Item>(
  rows: Row[],
  limit: number,
  toItem: (row: Row) => Item,
  keyOf: (row: Row) => string | string[],
): Page<Item> {
  const visible = rows.slice(0, limit);
  const last = visible.at(-1);
  const page: Page<Item> = { data: visible.map(toItem) };
  if (rows.length > limit && last !== undefined) {
    page.nextCursor = writeCursor(...[keyOf(last)].flat());
  }
  return page;
}
