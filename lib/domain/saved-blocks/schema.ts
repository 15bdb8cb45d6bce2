import { z } from "zod";
import { basedOn } from "@/lib/ground/updates/schema";
import { blocksInput, blocksOutput } from "@/lib/mail/design/field";

/** A project's saved blocks are listed with their content. */
export const mostSavedBlocks = 100;

const name = z
  .string()
  .trim()
  .min(1, "is empty")
  .max(100, "is longer than 100 characters")
  .regex(/^\P{Cc}*$/u, "contains control characters");

export const savedBlockInput = z.strictObject({ name, content: blocksInput });
export type SavedBlockInput = z.output<typeof savedBlockInput>;

export const savedBlockUpdate = savedBlockInput.partial().extend({ basedOn });
export type SavedBlockUpdate = z.output<typeof savedBlockUpdate>;

export const savedBlock = z.object({
  id: z.string(),
  name: z.string(),
  /** Blocks of a design, one below the other. */
  content: blocksOutput,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type SavedBlock = z.infer<typeof savedBlock>;

export const savedBlockList = z.object({ data: z.array(savedBlock) });
export type SavedBlockList = z.infer<typeof savedBlockList>;
