import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** More than there are: clients that ask for one page only still see everything. */
const mostOnAPage = 50;

/** The page that begins at a cursor, the name of its first item. Throws ProtocolError for any other cursor. */
export function pageFrom<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  cursor: string | undefined,
): { page: Item[]; nextCursor?: string } {
  const start = cursor === undefined ? 0 : items.findIndex((item) => nameOf(item) === cursor);
  if (start === -1) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown cursor.");
  const next = items[start + mostOnAPage];
  return {
    page: items.slice(start, start + mostOnAPage),
    ...(next === undefined ? {} : { nextCursor: nameOf(next) }),
  };
}
