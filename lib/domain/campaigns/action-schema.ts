import { z } from "zod";
import { testRecipients } from "@/lib/domain/emails/schema";
import { timeZone } from "./personal-time-schema";
import { instant } from "@/lib/ground/time-schema";

/* Requests about an existing campaign: to send, schedule, test, resume or follow it up. */

export const farthestCampaignDays = 365;

const time = instant.meta({
  description: `Up to ${farthestCampaignDays} days ahead.`,
  example: "2026-11-24T08:00:00Z",
});

export const campaignSchedule = z
  .strictObject({ scheduledAt: time, timeZone: timeZone.optional() })
  .meta({ id: "CampaignSchedule" });
export type CampaignSchedule = z.infer<typeof campaignSchedule>;

export const campaignSend = z
  .strictObject({
    scheduledAt: time.optional().meta({
      description: "If absent, it is sent at once; otherwise this works as with /schedule.",
    }),
    timeZone: timeZone.optional(),
  })
  .meta({ id: "CampaignSend" });
export type CampaignSend = z.infer<typeof campaignSend>;

export const campaignResume = z
  .strictObject({
    acknowledge: z.boolean().optional().meta({
      description:
        "true: you know why the guard paused it. Only needed for a campaign that the guard paused.",
    }),
  })
  .meta({ id: "CampaignResume" });
export type CampaignResume = z.infer<typeof campaignResume>;

/** Which of a campaign's recipients get a follow-up, by what they did with it. */
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

export const campaignTest = z.strictObject({ to: testRecipients }).meta({ id: "CampaignTest" });
export type CampaignTest = z.infer<typeof campaignTest>;
