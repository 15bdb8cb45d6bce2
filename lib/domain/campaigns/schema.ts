import { z } from "zod";
import { instant } from "@/lib/ground/time-schema";
import { bodyText } from "@/lib/mail/body-schema";
import {
  abTest,
  abTestInput,
  abTestPhase,
  abTestResult,
  abTestUpdate,
} from "@/lib/domain/ab-tests/schema";
import { campaignStatuses } from "@/db/enums";
import { headerText, mailbox, recipient } from "@/lib/domain/emails/schema";
import { largestSubject } from "@/lib/domain/emails/terms";
import { designInput, designOutput } from "@/lib/mail/design/field";
import { basedOn } from "@/lib/ground/updates/schema";
import { warmupWaiting } from "@/lib/domain/warm-up/schema";
import { longCursor, pageQuery } from "@/lib/ground/paging/schema";
import { personalTime, personalTimeInput, timeZone } from "./personal-time-schema";
import { campaignFigures, campaignStats } from "./stats-schema";

const id = z.string().max(100);

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
      "The visual editor's document. The HTML is made from it, whatever `body` says in the same request. A new body or template given without it removes it.",
  }),
  text: html.meta({ description: "Plain-text part; generated from the HTML when absent." }),
  templateId: id
    .nullable()
    .optional()
    .meta({ description: "A template whose HTML is sent instead of `body`." }),
  segmentId: id.nullable().optional().meta({
    description:
      "Only contacts who are in this segment when sending starts. Cannot be combined with `listId`.",
  }),
  listId: id.nullable().optional().meta({
    description:
      "Only subscribers of this list. With neither a segment nor a list: everybody who is subscribed.",
  }),
  topicId: id.nullable().optional().meta({
    description: "The topic it is about. People who left the topic do not get it.",
  }),
  tracking: z
    .strictObject({ opens: trackingChoice, clicks: trackingChoice })
    .optional()
    .meta({ description: "Overrides the domain's setting; null: use the domain's setting." }),
  utm: utm.nullable().optional(),
  timeZone: timeZone.nullable().optional(),
  personalTime: personalTimeInput.nullable().optional(),
  sendBefore: instant.nullable().optional().meta({
    description:
      "People it has not been sent to by then do not get it: their email ends as FAILED, with `too_late` as the reason.",
  }),
  incomplete: z.boolean().optional().meta({
    description: "true: subject, sender and content may be missing until the campaign is sent.",
  }),
};

const abTestDescription =
  "Variants of the subject, and with it of preview text, sender name and content: some people get them first, everybody else gets the best. `subject` becomes that of the first variant.";

export const campaignInput = z
  .strictObject({
    ...inputShape,
    abTest: abTestInput.nullable().optional().meta({ description: abTestDescription }),
  })
  .partial({ name: true })
  .refine(({ segmentId, listId }) => !segmentId || !listId, {
    path: ["listId"],
    message: "cannot be combined with segmentId: give only one of them",
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
    scheduledAt: instant.optional().meta({ description: "A new time for a scheduled campaign." }),
    basedOn,
  })
  .partial({ name: true })
  .refine(({ segmentId, listId }) => !segmentId || !listId, {
    path: ["listId"],
    message: "cannot be combined with segmentId: give only one of them",
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
      "Why the guard paused it, with the figures of that moment; `failureReason` says it in words. Resuming it then needs `acknowledge: true`.",
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
  description:
    "Why some of its mail is waiting although the campaign is being sent; null when none is.",
});

const slowedReceiver = z
  .object({
    receiver: z.string().meta({
      description: "The provider that runs the recipients' mail servers.",
      example: "google.com",
    }),
    perMinute: z.int().meta({ description: "How many emails a minute it is currently given." }),
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
        "The pace that all campaigns of the project share, see `PUT /v1/sending/pace`; null when none is set.",
    }),
    slowed: z.array(slowedReceiver).meta({
      description:
        "Receivers that asked for less mail, and whose share of this campaign is waiting its turn.",
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
        "The visual editor's document that the HTML was made from; null when it was written as HTML or comes from a template.",
    }),
    text: z.string().nullable(),
    waitsFor,
    abTest: abTest.nullable(),
    stats: campaignStats,
    abTestResult: abTestResult.nullable().meta({
      description: "The results of its A/B test; null before the test begins, and without one.",
    }),
  })
  .meta({ id: "Campaign" });
export type Campaign = z.infer<typeof campaign>;

/** By what the list can be sorted: what has an index to page by. A minus sign: from the last to the first. */
const campaignSorts = ["-createdAt", "createdAt", "name", "-name"] as const;

export const campaignQuery = pageQuery.extend({
  cursor: longCursor,
  sort: z.enum(campaignSorts).optional().meta({
    description:
      "If absent, `-createdAt`: newest first. A cursor continues the order that it comes from.",
  }),
  status: z.enum(campaignStatuses).optional(),
  search: z
    .string()
    .trim()
    .max(200)
    .optional()
    .meta({ description: "Part of the name or the subject." }),
});
/**
 * The dashboard's list, which is also sorted by when campaigns go out. That has no index: a project has hundreds of
 * campaigns, or some thousands.
 */
export const campaignListQuery = campaignQuery.extend({
  sort: z.enum([...campaignSorts, "date", "-date"]).optional(),
});
export type CampaignQuery = z.infer<typeof campaignListQuery>;
