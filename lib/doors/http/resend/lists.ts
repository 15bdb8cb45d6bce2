import { z } from "zod";
import { invalid } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import { writeCursor } from "@/lib/ground/paging/cursor";
import { pageQuery, type Page, type PageQuery } from "@/lib/ground/paging/schema";
import { refused } from "./terms";

export const listQuery = z.strictObject({
  limit: pageQuery.shape.limit,
  after: z.string().min(1).max(100).optional(),
  before: refused("is not supported: lists are read from the newest on, with after"),
});
export type ListQuery = z.infer<typeof listQuery>;

export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ object: z.literal("list"), has_more: z.boolean(), data: z.array(item) });
}

/** A page as Resend answers it. */
export function toList<From, To>({ data, nextCursor }: Page<From>, toItem: (item: From) => To) {
  return {
    object: "list" as const,
    has_more: nextCursor !== undefined,
    data: data.map(toItem),
  };
}

/** What continues after the last item of the page before, for lists whose cursor is an id. */
export function pageAfter(
  kind: Parameters<typeof decodeId>[0],
  { limit, after }: ListQuery,
): PageQuery {
  if (after === undefined) return { limit };
  const uuid = decodeId(kind, after);
  if (!uuid) throw invalid("after", "is not an id of this list");
  return { limit, cursor: writeCursor(uuid) };
}
