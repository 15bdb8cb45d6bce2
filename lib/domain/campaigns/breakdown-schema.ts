import { z } from "zod";
import { providerFigures } from "@/lib/domain/receivers/provider-figures-schema";

const people = z.int().meta({ description: "People, each once." });

export const campaignBreakdown = z
  .object({
    deliveryConfirmed: z.boolean().meta({
      description:
        "For the whole campaign, as in its stats: whether the providers' rates are shares of delivered mail.",
    }),
    providers: z
      .array(providerFigures)
      .meta({ description: "By number of recipients, most first." }),
    devices: z.array(z.object({ name: z.string(), people })),
    countries: z.array(z.object({ name: z.string(), people })),
    hours: z.array(people).meta({
      description:
        "How many people first opened it in each of the 24 hours of the day, in `timeZone`.",
    }),
    timeZone: z.string(),
  })
  .meta({ id: "CampaignBreakdown" });
export type CampaignBreakdown = z.infer<typeof campaignBreakdown>;
