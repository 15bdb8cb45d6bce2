import { z } from "zod";
import { providerFigures } from "@/lib/domain/receivers/provider-figures-schema";

const people = z.int().meta({ description: "People, each once." });

export const campaignBreakdown = z
  .object({
    deliveryConfirmed: z.boolean().meta({
      description:
        "Of the whole campaign, as in its stats: what the providers' rates are shares of.",
    }),
    providers: z.array(providerFigures).meta({ description: "The most recipients first." }),
    devices: z.array(z.object({ name: z.string(), people })),
    countries: z.array(z.object({ name: z.string(), people })),
    hours: z
      .array(people)
      .meta({ description: "24 hours of the day in `timeZone`, when people opened it first." }),
    timeZone: z.string(),
  })
  .meta({ id: "CampaignBreakdown" });
export type CampaignBreakdown = z.infer<typeof campaignBreakdown>;
