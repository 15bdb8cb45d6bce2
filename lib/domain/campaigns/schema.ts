import { z } from "zod";
import {
  abTest,
  abTestInput,
  abTestPhase,
  abTestResult,
  abTestUpdate,
} from "@/lib/domain/ab-tests/schema";
import { campaignStatuses } from "@/db/enums";
import {
  bodyText,
  headerText,
  largestSubject,
  mailbox,
  recipient,
} from "@/lib/domain/emails/schema";
import { designInput, designOutput } from "@/lib/mail/design/field";
import { basedOn } from "@/lib/ground/updates/schema";
import { warmupWaiting } from "@/lib/domain/warm-up/schema";
import { pageQuery } from "@/lib/ground/paging/schema";
import { personalTime, personalTimeInput, timeZone } from "./personal-time-schema";
import { campaignFigures, campaignStats } from "./stats-schema";

const id = z.string().max(100);
export const campaignTime = z.iso.datetime({
  offset: true,
  error: "is not an ISO 8601 time with a zone",
});

const utmValue = headerText(200).optional();
const utm = z
  .strictObject({
    source: utmValue.meta({ example: "newsletter" }),
    medium: utmValue.meta({ example: "email" }),
    campaign: utmValue,
    term: utmValue,
    content: utmValue,
  })
  .meta({ id: "UtmParameters", description: "Added to the links of the mail." });

const trackingChoice = z.boolean().nullable().optional();
const html = bodyText.nullable().optional();

const inputShape = {
  name: z.string().trim().min(1, "is required").max(200).meta({ example: "November news" }),
  subject: headerText(largestSubject)
    .optional()
    .meta({ description: "Liquid.", example: "News for {{ firstName | default: 'you' }}" }),
  previewText: headerText(500)
    .optional()
    .meta({ description: "Mail programs show it beside the subject. Liquid." }),
  from: recipient
    .nullable()
    .optional()
    .meta({ description: "The sender; its domain must be verified when the campaign is sent." }),
  fromName: headerText(200)
    .optional()
    .meta({ description: "Sender name next to a string `from`." }),
  replyTo: mailbox.nullable().optional().meta({ description: "Reply-To." }),
  reply: mailbox.nullable().optional().meta({ description: "The same as `replyTo`." }),
  body: html.meta({ description: "HTML with Liquid." }),
  htmlBody: html.meta({ description: "The same as `body`." }),
  html: html.meta({ description: "The same as `body`." }),
  design: designInput.meta({
    description:
      "What the visual editor keeps. The HTML is made from it, whatever `body` says beside it. Another body or a template without it ends it.",
  }),
  text: html.meta({ description: "Plain-text part; generated from the HTML when absent." }),
  templateId: id
    .nullable()
    .optional()
    .meta({ description: "A template whose HTML is sent instead of `body`." }),
  segmentId: id.nullable().optional().meta({
    description:
      "Only contacts who are in it when sending starts. Cannot be combined with `listId`.",
  }),
  listId: id.nullable().optional().meta({
    description: "Only its subscribers. With neither segment nor list: everybody subscribed.",
  }),
  topicId: id.nullable().optional().meta({
    description: "What it is about. People who left the topic do not get it.",
  }),
  tracking: z
    .strictObject({ opens: trackingChoice, clicks: trackingChoice })
    .optional()
    .meta({ description: "Overrides the domain's setting; null: as the domain says." }),
  utm: utm.nullable().optional(),
  timeZone: timeZone.nullable().optional(),
  personalTime: personalTimeInput.nullable().optional(),
  sendBefore: campaignTime.nullable().optional().meta({
    description:
      "Whoever has not been sent it by then does not get it: their email ends FAILED, with `too_late` as the reason.",
  }),
  incomplete: z.boolean().optional().meta({
    description: "true: subject, sender and content may be missing until the campaign is sent.",
  }),
};

const abTestDescription =
  "Variants of the subject, and with it of preview text, sender name and content: some people get them first, everybody else the best. `subject` becomes that of the first.";

export const campaignInput = z
  .strictObject({
    ...inputShape,
    abTest: abTestInput.nullable().optional().meta({ description: abTestDescription }),
  })
  .partial({ name: true })
  .refine(({ segmentId, listId }) => !segmentId || !listId, {
    path: ["listId"],
    message: "cannot stand beside segmentId: give one of them",
  })
  .meta({
    id: "CampaignInput",
    description:
      "name, subject, from and content (`body` or `templateId`) are required unless `incomplete` is true.",
  });
export type CampaignInput = z.infer<typeof campaignInput>;

export const campaignUpdate = z
  .strictObject({
    ...inputShape,
    abTest: abTestUpdate
      .nullable()
      .optional()
      .meta({ description: `${abTestDescription} null ends the test.` }),
    scheduledAt: campaignTime
      .optional()
      .meta({ description: "A new time for a scheduled campaign." }),
    basedOn,
  })
  .partial({ name: true })
  .refine(({ segmentId, listId }) => !segmentId || !listId, {
    path: ["listId"],
    message: "cannot stand beside segmentId: give one of them",
  })
  .meta({
    id: "CampaignUpdate",
    description:
      "Only the given fields change. A new `body` replaces a template and vice versa, and so do `segmentId` and `listId`.",
  });
export type CampaignUpdate = z.infer<typeof campaignUpdate>;

const nullableInstant = z.iso.datetime().nullable();

const campaignGuard = z
  .object({
    reason: z.enum(["bounces", "complaints", "refusals"]),
    sent: z.int(),
    bounced: z.int(),
    complained: z.int(),
  })
  .nullable()
  .meta({
    description:
      "Why the guard paused it, with the figures of that moment; `failureReason` says it in words. Resuming then needs `acknowledge: true`.",
  });

const summaryShape = {
  id: z.string().meta({ example: "cmp_01kat4rz8sfq3v6d1mpx3k6w9j" }),
  name: z.string(),
  status: z.enum(campaignStatuses),
  subject: z.string(),
  previewText: z.string(),
  from: z.string().meta({ description: "The sender's address; empty in an unfinished draft." }),
  fromName: z.string(),
  replyTo: z.string().nullable(),
  templateId: z.string().nullable(),
  segmentId: z.string().nullable(),
  listId: z.string().nullable(),
  topicId: z.string().nullable(),
  tracking: z.object({ opens: z.boolean().nullable(), clicks: z.boolean().nullable() }),
  utm: utm.nullable(),
  scheduledAt: nullableInstant,
  timeZone: z.string().nullable(),
  personalTime,
  sendBefore: nullableInstant,
  startedAt: nullableInstant,
  pausedAt: nullableInstant,
  audienceDoneAt: nullableInstant.meta({
    description:
      "When all recipients had been selected; until then `stats.recipients` still grows.",
  }),
  finishedAt: nullableInstant.meta({ description: "When it became SENT, CANCELLED or FAILED." }),
  failureReason: z.string().nullable(),
  guard: campaignGuard,
  abTestPhase: abTestPhase
    .nullable()
    .meta({ description: "Where its A/B test stands; null before it begins, and without one." }),
  audienceComplete: z.boolean().meta({
    description: "Whether all recipients have been selected; until then `recipients` grows.",
  }),
  test: z.boolean().meta({ description: "Sent with a test key: its mail is captured." }),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

export const campaignSummary = z
  .object({ ...summaryShape, stats: campaignFigures })
  .meta({ id: "CampaignSummary" });
export type CampaignSummary = z.infer<typeof campaignSummary>;

const waitsFor = warmupWaiting.nullable().meta({
  description: "Why some of its mail waits although it is being sent; null: none does.",
});

const slowedReceiver = z
  .object({
    receiver: z
      .string()
      .meta({ description: "Who runs the recipients' servers.", example: "google.com" }),
    perMinute: z.int().meta({ description: "Emails a minute that it is given meanwhile." }),
    since: z.iso.datetime(),
    message: z.string(),
  })
  .meta({ id: "SlowedReceiver" });
export type SlowedReceiver = z.infer<typeof slowedReceiver>;

/** A campaign without its content, with all of its figures. */
export const campaignProgress = z
  .object({
    ...summaryShape,
    waitsFor,
    pace: z.object({ emailsPerHour: z.int() }).nullable().meta({
      description:
        "The pace that all campaigns of the project share, see `PUT /v1/sending/pace`; null: none is set.",
    }),
    slowed: z.array(slowedReceiver).meta({
      description: "Receivers that asked for less, and whose mail of this campaign waits its turn.",
    }),
    stats: campaignStats,
    abTestResult: abTestResult.nullable(),
  })
  .meta({ id: "CampaignProgress" });
export type CampaignProgress = z.infer<typeof campaignProgress>;

export const campaign = z
  .object({
    ...summaryShape,
    body: z.string().nullable().meta({ description: "HTML; null with a template." }),
    design: designOutput.meta({
      description:
        "What the HTML was made from in the visual editor; null: it was written as HTML, or is a template's.",
    }),
    text: z.string().nullable(),
    waitsFor,
    abTest: abTest.nullable(),
    stats: campaignStats,
    abTestResult: abTestResult
      .nullable()
      .meta({ description: "Its A/B test's; null before it begins, and without one." }),
  })
  .meta({ id: "Campaign" });
export type Campaign = z.infer<typeof campaign>;

export const campaignQuery = pageQuery.extend({
  status: z.enum(campaignStatuses).optional(),
  search: z
    .string()
    .trim()
    .max(200)
    .optional()
    .meta({ description: "Part of the name or the subject." }),
});
export type CampaignQuery = z.infer<typeof campaignQuery>;
