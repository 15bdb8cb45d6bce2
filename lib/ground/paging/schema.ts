import { z } from "zod";
import { isStorableTime, notStorable } from "@/lib/ground/time-schema";

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
    .meta({ description: "Items per page, 1 to 100.", example: 20 }),
  cursor: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .meta({ description: "`nextCursor` of the previous page." }),
});
export type PageQuery = z.infer<typeof pageQuery>;

/** Of a list that can be sorted by name: with names in it, a cursor is longer than others. */
export const longCursor = z.string().min(1).max(2_048).optional().meta({
  description: "`nextCursor` of the previous page.",
});

export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    nextCursor: z
      .string()
      .optional()
      .meta({ description: "Pass it as `cursor` to get the next page; absent on the last page." }),
  });
}

const point = z
  .union([z.iso.datetime({ offset: true }).max(40), z.iso.date()])
  .refine(isStorableTime, notStorable);

/** Fields of a query that bound `createdAt`. */
export const dateRange = {
  startDate: point
    .optional()
    .meta({ description: "Bounds createdAt, inclusive; a bare date is a UTC day." }),
  endDate: point.optional(),
};

export interface DateRange {
  startDate?: string | undefined;
  endDate?: string | undefined;
}
