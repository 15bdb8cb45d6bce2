import { z } from "zod";
import { recipient } from "@/lib/domain/emails/schema";
import { timeZone } from "./personal-time-schema";
import { campaignTime } from "./schema";

/* What is asked of a campaign that is there: to be sent, scheduled, tried, resumed, followed up. */

export const farthestCampaignDays = 365;
const mostTestRecipients = 5;

const time = campaignTime.meta({
  description: `Up to ${farthestCampaignDays} days ahead.`,
  example: "2026-11-24T08:00:00Z",
});

export const campaignSchedule = z
  .strictObject({ scheduledAt: time, timeZone: timeZone.optional() })
  .meta({ id: "CampaignSchedule" });
export type CampaignSchedule = z.infer<typeof campaignSchedule>;

export const campaignSend = z
  .strictObject({
    scheduledAt: time
      .optional()
      .meta({ description: "Absent: at once. Otherwise as with /schedule." }),
    timeZone: timeZone.optional(),
  })
  .meta({ id: "CampaignSend" });
export type CampaignSend = z.infer<typeof campaignSend>;

export const campaignResume = z
  .strictObject({
    acknowledge: z.boolean().optional().meta({
      description: "true: you know why the guard paused it. Needed for such a campaign alone.",
    }),
  })
  .meta({ id: "CampaignResume" });
export type CampaignResume = z.infer<typeof campaignResume>;

/** Those of a campaign's people to whom a follow-up goes, by what they did with it. */
const followUpAudiences = ["not_opened", "not_clicked", "opened", "clicked"] as const;
export type FollowUpAudience = (typeof followUpAudiences)[number];
export const campaignFollowUp = z
  .strictObject({
    audience: z
      .enum(followUpAudiences, { error: `is not one of ${followUpAudiences.join(", ")}` })
      .meta({ description: "Values of the segment field `campaign.<id>`." }),
  })
  .meta({ id: "CampaignFollowUp" });
export type CampaignFollowUp = z.infer<typeof campaignFollowUp>;

export const campaignTest = z
  .strictObject({
    to: z
      .union([
        recipient,
        z
          .array(recipient)
          .min(1, "names no recipient")
          .max(mostTestRecipients, `names more than ${mostTestRecipients} recipients`),
      ])
      .meta({ description: `Up to ${mostTestRecipients} recipients.` }),
  })
  .meta({ id: "CampaignTest" });
export type CampaignTest = z.infer<typeof campaignTest>;
