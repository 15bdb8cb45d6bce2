import { z } from "zod";

const group = z.object({
  people: z.int().meta({ description: "To whom it was sent so far." }),
  delivered: z.int(),
  opened: z.int(),
  clicked: z.int(),
  openRate: z.number().meta({
    description: "Of delivered, where `deliveryConfirmed`; else of sent minus bounced.",
  }),
});

export const campaignSpread = z
  .object({
    hours: z.array(z.object({ hour: z.iso.datetime(), sent: z.int(), waiting: z.int() })).meta({
      description: "Hours in which mail was sent or is due, oldest first.",
    }),
    comparison: z
      .object({
        deliveryConfirmed: z.boolean(),
        ownHour: group,
        control: group,
        sentence: z.string(),
      })
      .nullable()
      .meta({
        description: "With `reader`: those sent to at their own hour beside the control group.",
      }),
  })
  .meta({ id: "CampaignSpread" });
export type CampaignSpread = z.infer<typeof campaignSpread>;
