import { z } from "zod";

const group = z.object({
  people: z.int().meta({ description: "How many people it has been sent to so far." }),
  delivered: z.int(),
  opened: z.int(),
  clicked: z.int(),
  openRate: z.number().meta({
    description: "A share of delivered where `deliveryConfirmed`; otherwise of sent minus bounced.",
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
        description:
          "With `reader`: those it was sent to at their own hour, compared with the control group.",
      }),
  })
  .meta({ id: "CampaignSpread" });
export type CampaignSpread = z.infer<typeof campaignSpread>;
