import { z } from "zod";

/** One page of a keyset list. `nextCursor` is absent on the last page. */
export interface Page<Item> {
  data: Item[];
  nextCursor?: string;
}

export const pageQuery = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(20)
    .meta({ description: "Items on a page, 1 to 100.", example: 20 }),
  cursor: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .meta({ description: "`nextCursor` of the page before." }),
});
export type PageQuery = z.infer<typeof pageQuery>;

export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    nextCursor: z
      .string()
      .optional()
      .meta({ description: "Pass it as `cursor` for the next page; absent on the last." }),
  });
}
