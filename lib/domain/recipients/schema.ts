import { z } from "zod";
import { suppressionReasons } from "@/db/enums";

/** The outcome of a campaign for one person. */
export const recipientOutcomes = ["received", "waiting", "not_received", "planned"] as const;

/** All possible reasons. The first five are `received`; `planned` is for a campaign that has not begun. */
export const recipientCodes = [
  "sent",
  "delivered",
  "opened",
  "clicked",
  "complained",
  "planned",
  "audience_being_chosen",
  "waiting_for_warm_up",
  "waiting_for_winner",
  "waiting_for_hour",
  "waiting_for_retry",
  "waiting_for_turn",
  "being_sent",
  "campaign_paused",
  "bounced",
  "suppressed",
  "unsubscribed",
  "never_subscribed",
  "left_list",
  "not_on_list",
  "unconfirmed",
  "paused",
  "left_topic",
  "less_often",
  "not_in_segment",
  "segment_deleted",
  "added_later",
  "changed_later",
  "contact_deleted",
  "campaign_cancelled",
  "campaign_failed",
  "failed",
] as const;
export type RecipientCode = (typeof recipientCodes)[number];

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const failedCondition = z
  .object({
    field: z.string().meta({ example: "data.plan" }),
    op: z.string().meta({ example: "eq" }),
    value: z.union([scalar, z.array(scalar)]).nullable(),
    actual: z.unknown().meta({ description: "The contact's value; null when there is none." }),
    reason: z.string().meta({ description: "The same in a sentence." }),
  })
  .meta({ id: "FailedCondition" });
export type FailedCondition = z.infer<typeof failedCondition>;

export const recipientExplanation = z
  .object({
    campaignId: z.string(),
    contact: z.object({ id: z.string(), email: z.string() }),
    outcome: z.enum(recipientOutcomes).meta({
      description:
        "`received` with the code `sent`: a mail server or provider took it, and nobody has reported whether it arrived.",
    }),
    code: z.enum(recipientCodes),
    reason: z.string().meta({ description: "The code in one plain sentence." }),
    since: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When the reason arose, if that is known." }),
    suppression: z
      .enum(suppressionReasons)
      .nullable()
      .meta({ description: "With `suppressed`: why the address is suppressed." }),
    failedConditions: z.array(failedCondition).meta({
      description: "With `not_in_segment`: the conditions of its filter that the contact fails.",
    }),
    serverReply: z
      .string()
      .nullable()
      .meta({ description: "The last thing a mail server said, in its own words." }),
    nextAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When it will be sent or tried again, if that is known." }),
    emailId: z.string().nullable().meta({ description: "The email; null when none was written." }),
  })
  .meta({ id: "RecipientExplanation" });
export type RecipientExplanation = z.infer<typeof recipientExplanation>;
