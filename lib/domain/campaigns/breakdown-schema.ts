import { z } from "zod";

const people = z.int().meta({ description: "People, each once." });

export const campaignBreakdown = z
  .object({
    providers: z
      .array(
        z.object({
          name: z.string().meta({ description: "Whose mail servers take it, by the address." }),
          recipients: z.int(),
          delivered: z.int(),
          opened: z.int(),
          clicked: z.int(),
          bounced: z.int(),
        }),
      )
      .meta({ description: "The most recipients first." }),
    devices: z.array(z.object({ name: z.string(), people })),
    countries: z.array(z.object({ name: z.string(), people })),
    hours: z
      .array(people)
      .meta({ description: "24 hours of the day in `timeZone`, when people opened it first." }),
    timeZone: z.string(),
  })
  .meta({ id: "CampaignBreakdown" });
export type CampaignBreakdown = z.infer<typeof campaignBreakdown>;
