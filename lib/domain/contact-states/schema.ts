import { z } from "zod";
import { suppressionReasons } from "@/db/enums";

/** Whether campaigns reach a contact, and if not, why. What suppresses an address comes first. */
export const contactStates = [
  "reachable",
  "never_subscribed",
  "unsubscribed",
  ...suppressionReasons,
] as const;
export const contactState = z.enum(contactStates);
export type ContactState = z.infer<typeof contactState>;

export const excluded = z
  .object({
    never_subscribed: z.int(),
    unsubscribed: z.int(),
    hard_bounce: z.int(),
    complaint: z.int(),
    manual: z.int(),
  })
  .meta({ id: "Excluded", description: "Those skipped by campaigns, by their `state`." });
export type Excluded = z.infer<typeof excluded>;
