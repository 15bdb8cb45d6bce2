import { z } from "zod";
import { exportStates } from "@/db/enums";

/** What the page that begins an export calls it, to ask how far it is. */
const exportId = z
  .string()
  .regex(/^[\w-]{16,64}$/, "is not 16 to 64 letters, digits, hyphens and underscores");

/** What the dashboard adds to the query of an export. */
export const followed = { progress: exportId.optional() };
export const followedQuery = z.strictObject(followed);

export const exportProgress = z.object({
  state: z.enum(exportStates),
  /** Rows that were written so far; null for files that are no table. */
  rows: z.int().nullable(),
  bytes: z.int(),
  /** Why it failed, for people; null where that is not known, and while it has not. */
  failureReason: z.string().nullable(),
});
export type ExportProgress = z.infer<typeof exportProgress>;
