import { z } from "zod";
import { campaignStatuses } from "@/db/enums";
import { campaignFigures } from "./stats-schema";
import { mostCompared } from "./terms";

export const comparisonQuery = z.strictObject({
  with: z
    .string()
    .max(200)
    .optional()
    .transform((text = "") => [...new Set(text.split(",").filter(Boolean))])
    .refine((ids) => ids.length < mostCompared, {
      error: `names more than ${mostCompared - 1} campaigns`,
    })
    .meta({ description: `Ids of up to ${mostCompared - 1} others, separated by commas.` }),
});

/** The rates that are compared; for the last three, the lowest is best. */
export const comparedRates = [
  "openRate",
  "clickRate",
  "bounceRate",
  "unsubscribeRate",
  "complaintRate",
] as const;

export const comparison = z
  .object({
    campaigns: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        subject: z.string(),
        status: z.enum(campaignStatuses),
        startedAt: z.iso.datetime().nullable(),
        stats: campaignFigures,
      }),
    ),
    rates: z.array(
      z.object({
        rate: z.enum(comparedRates),
        best: z.string().nullable().meta({ description: "The campaign with the best rate." }),
        probability: z.number().meta({
          description:
            "The probability that its true rate is the best, on current figures: 0.95 or more is clear.",
        }),
        clear: z.boolean(),
      }),
    ),
  })
  .meta({ id: "CampaignComparison" });
export type Comparison = z.infer<typeof comparison>;
