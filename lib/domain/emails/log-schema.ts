import { z } from "zod";
import { variantNames } from "@/db/enums";
import { emailQuery } from "./schema";
import { countedEvents } from "./terms";

/** The dashboard's filters of the log: those of the API, and more. */
export const logQuery = emailQuery.extend({
  event: z.enum(countedEvents).optional(),
  /** Of the campaign's A/B test: whom it was tried on. */
  variant: z.enum(variantNames).optional(),
  /** Whose reader followed this link of the campaign. */
  link: z.string().max(8_000).optional(),
  /** Whose servers take the recipient's mail, as figures by provider name them. */
  provider: z.string().trim().min(1).max(255).optional(),
});
export type LogQuery = z.infer<typeof logQuery>;
