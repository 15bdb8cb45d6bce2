import { z } from "zod";
import { blocks, emailDesign, mostBlocks } from "./schema";

const mostFaults = 10;

/** Names the faults that `schema` finds in a value, each at its place. */
const checkedBy =
  (schema: z.ZodType) =>
  (value: unknown, ctx: z.core.$RefinementCtx): void => {
    const { error } = schema.safeParse(value);
    for (const { path, message } of error?.issues.slice(0, mostFaults) ?? []) {
      ctx.addIssue({ code: "custom", path, message });
    }
  };

/** A design as request bodies carry it. The API documents name it, but not each kind of block. */
export const designInput = z
  .record(z.string(), z.unknown())
  .superRefine(checkedBy(emailDesign))
  .nullable()
  .optional();

/** The same in a response. */
export const designOutput = z.record(z.string(), z.unknown()).nullable();

/** Characters of JSON. */
const longestBlocks = 50_000;

/** Some of a design's blocks, as request bodies carry them. */
export const blocksInput = z
  .array(z.record(z.string(), z.unknown()))
  .max(mostBlocks)
  .superRefine(checkedBy(blocks))
  .refine(
    (value) => JSON.stringify(value).length <= longestBlocks,
    "is larger than 50,000 characters of JSON",
  );

/** The same in a response. */
export const blocksOutput = z.array(z.record(z.string(), z.unknown()));
