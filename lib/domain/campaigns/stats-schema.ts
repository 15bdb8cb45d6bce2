import { z } from "zod";

const rate = (of: string) =>
  z.number().meta({ description: `0 to 1, of ${of}; 0 while there are none.` });
const ofArrived = rate("delivered, where `deliveryConfirmed`; else of sent minus bounced");

export const campaignFigures = z
  .object({
    recipients: z.int().meta({ description: "Grows while the audience is being selected." }),
    pending: z
      .int()
      .meta({ description: "Not yet handed over for good, including those waiting for a retry." }),
    sent: z.int().meta({
      description: "Handed to a mail server, which accepted or permanently refused it.",
    }),
    delivered: z.int().meta({
      description: "Known to have arrived: reported, or opened, clicked or complained about.",
    }),
    opened: z.int().meta({ description: "People, each once." }),
    clicked: z.int().meta({ description: "People, each once." }),
    bounced: z.int(),
    complained: z.int(),
    unsubscribed: z.int(),
    failed: z.int().meta({
      description:
        "Not sent: the person unsubscribed or was suppressed in the meantime, or something went wrong on our side.",
    }),
    deliveryConfirmed: z.boolean().meta({
      description:
        "true when delivery reports cover most of the accepted mail. Otherwise mail servers accepted it but whether it arrived is not known, and rates are shares of what they accepted.",
    }),
    deliveryRate: z.number().meta({
      description:
        "0 to 1: delivered of sent, where `deliveryConfirmed`; else sent minus bounced, of sent. 0 while there are none.",
    }),
    bounceRate: rate("sent"),
    openRate: ofArrived,
    clickRate: ofArrived,
    complaintRate: ofArrived,
    unsubscribeRate: ofArrived,
    machineOpens: z.int().meta({ description: "By machines; not counted in opened." }),
    machineClicks: z.int().meta({ description: "By machines; not counted in clicked." }),
  })
  .meta({ id: "CampaignFigures" });
export type CampaignFigures = z.infer<typeof campaignFigures>;

export const campaignStats = campaignFigures
  .extend({
    links: z
      .array(z.object({ url: z.string(), clicks: z.int(), uniqueClicks: z.int() }))
      .meta({ description: "Most clicked first." }),
  })
  .meta({ id: "CampaignStats" });
export type CampaignStats = z.infer<typeof campaignStats>;

export const campaignActivity = z
  .object({
    data: z
      .array(
        z.object({
          hour: z.iso.datetime(),
          sent: z.int(),
          delivered: z.int(),
          opened: z.int(),
          clicked: z.int(),
        }),
      )
      .meta({ description: "Hours in which something happened, oldest first." }),
  })
  .meta({ id: "CampaignActivity" });
export type CampaignActivity = z.infer<typeof campaignActivity>;
