import { z } from "zod";
import { suppressionReasons } from "@/db/enums";

/** Whether campaigns reach a contact, and if not, why. Suppressions of the address come first. */
export const contactStates = [
  "reachable",
  "never_subscribed",
  "unsubscribed",
  "paused",
  ...suppressionReasons,
] as const;
export const contactState = z.enum(contactStates);
export type ContactState = z.infer<typeof contactState>;

export const excluded = z
  .object({
    never_subscribed: z.int(),
    unsubscribed: z.int(),
    paused: z.int().meta({ description: "They asked to be left alone for a while." }),
    hard_bounce: z.int(),
    complaint: z.int(),
    manual: z.int(),
    domain: z.int().meta({ description: "Nothing is sent to anybody at their domain." }),
  })
  .meta({ id: "Excluded", description: "Those skipped by campaigns, by their `state`." });
export type Excluded = z.infer<typeof excluded>;

export const audienceExcluded = excluded
  .extend({
    left_topic: z.int().meta({ description: "They left the campaign's topic." }),
    less_often: z.int().meta({
      description:
        "They asked for at most one campaign a week, and had one in the last seven days.",
    }),
  })
  .meta({ id: "AudienceExcluded", description: "People whom a campaign leaves out, by reason." });
export type AudienceExcluded = z.infer<typeof audienceExcluded>;
