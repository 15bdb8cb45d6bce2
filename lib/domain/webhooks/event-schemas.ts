import { z } from "zod";
import { bounceClasses } from "@/db/enums";
import { contact } from "@/lib/domain/contacts/schema";
import { contactImport } from "@/lib/domain/imports/schema";
import { inboundAttachment, originChecks } from "@/lib/domain/inbound/schema";
import { domain } from "@/lib/domain/sending-domains/schema";
import type { WebhookEvent } from "@/lib/ground/events/names";

/** What all events about emails say. */
const ofEmail = {
  emailId: z.string().meta({ example: "em_01kat4rz8sfq3v6d1mpx3k6w9j" }),
  messageId: z.string().nullable().meta({ description: "Without angle brackets." }),
  contact: z
    .object({ id: z.string(), email: z.string() })
    .nullable()
    .meta({ description: "null once the person was deleted." }),
  campaignId: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).meta({ description: "As it was sent along." }),
};

const serverWords = {
  code: z.int().optional().meta({ description: "The mail server's SMTP code.", example: 550 }),
  enhancedCode: z.string().optional().meta({ example: "5.1.1" }),
  response: z.string().optional().meta({ description: "The mail server's words." }),
};

/** About what came back after the mail server had taken the email. */
const report = {
  via: z
    .enum(["notification", "mail", "provider"])
    .optional()
    .meta({ description: "How it was reported; absent: in the mail server's own answer." }),
  reportedBy: z
    .string()
    .optional()
    .meta({ description: "The host, or the provider, that says so." }),
  description: z.string().optional(),
};

const visit = {
  userAgent: z.string().optional(),
  ip: z.string().optional(),
  machine: z.literal(true).optional().meta({ description: "A program, not the person." }),
};

const email = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ ...ofEmail, ...shape });
// As it was when the event happened; once the person is deleted, only the id is left.
const contactEvent = contact
  .omit({ state: true })
  .partial()
  .required({ id: true })
  .extend({
    listId: z.string().optional().meta({ description: "Through which list it came about." }),
    mergedFrom: z.string().optional().meta({
      description: "The id of the contact that was merged into this one, and is gone.",
    }),
  });
/** Why the guard paused it, and the figures it went by. */
const guardPause = z.object({
  reason: z.string(),
  sent: z.int(),
  bounced: z.int(),
  complained: z.int(),
});
const campaign = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ campaignId: z.string(), name: z.string(), ...shape });

/**
 * `data` of each event as webhooks get it. Fields may be added to a payload, so readers must ignore those they do
 * not know.
 */
export const eventSchemas = {
  "email.sent": email({ ...serverWords }),
  "email.deferred": email({
    ...serverWords,
    ...report,
    attempt: z.int().optional(),
    retryAfterSeconds: z.int().optional(),
  }),
  "email.delivered": email({ ...serverWords, ...report }),
  "email.opened": email({ ...visit }),
  "email.clicked": email({ ...visit, url: z.string().optional() }),
  "email.bounced": email({
    ...serverWords,
    ...report,
    type: z.enum(["hard", "soft"]),
    cause: z.enum(bounceClasses).optional(),
    attempts: z.int().optional(),
  }),
  "email.complained": email({ ...report, type: z.string().optional() }),
  "email.failed": email({
    ...serverWords,
    ...report,
    reason: z.string().meta({ description: "A word, or a sentence where `reasonCode` is there." }),
    reasonCode: z.string().optional(),
  }),
  "email.received": z.object({
    ...ofEmail,
    id: z.string(),
    emailId: ofEmail.emailId.nullable().meta({ description: "The email that it answers." }),
    from: z.object({ email: z.string(), name: z.string().nullable() }),
    to: z.array(z.string()),
    subject: z.string().nullable(),
    text: z.string(),
    html: z.string().nullable(),
    truncated: z.boolean(),
    inReplyTo: z.string().nullable(),
    references: z.array(z.string()),
    automatic: z.boolean(),
    checks: originChecks,
    attachments: z.array(inboundAttachment),
    size: z.int(),
  }),
  "contact.created": contactEvent,
  "contact.updated": contactEvent,
  "contact.deleted": z.object({
    id: z.string(),
    mergedInto: z.string().optional().meta({
      description: "The contact that it was merged into; absent: the person was deleted for good.",
    }),
  }),
  "contact.subscribed": contactEvent,
  "contact.unsubscribed": contactEvent,
  "import.completed": contactImport,
  "campaign.started": campaign({}),
  "campaign.sent": campaign({ recipients: z.int() }),
  "campaign.paused": campaign({
    reason: z.string().optional().meta({ description: "Absent where a person paused it." }),
    guard: guardPause.optional(),
  }),
  "campaign.failed": campaign({ reason: z.string() }),
  "domain.verified": domain,
  "domain.failed": domain,
} satisfies Record<WebhookEvent, z.ZodObject>;
