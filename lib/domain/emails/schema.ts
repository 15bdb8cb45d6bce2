import { z } from "zod";
import { emailEventNames, emailStatuses, type EmailSource } from "@/db/enums";
import { emailAddress, parseMailbox } from "@/lib/mail/address";
import { pageQuery } from "@/lib/ground/paging/schema";
import { headerName, isForbiddenHeader } from "@/lib/mail/message/header-names";

export const largestSubject = 998;
export const largestBodyBytes = 5 * 1024 * 1024;
export const mostRecipients = 100;
export const mostAttachments = 20;
export const largestAttachmentsBytes = 25 * 1024 * 1024;
export const farthestScheduleDays = 30;

/** Text that becomes part of a header: a line break in it would start another header. */
export const headerText = (longest: number) =>
  z
    .string()
    .max(longest, `is longer than ${longest} characters`)
    .regex(/^[^\r\n]*$/, "must not contain line breaks (CR, LF)");

/** HTML or text of a mail, 5 MB in UTF-8. */
export const bodyText = z
  .string()
  .refine((text) => text.length * 3 <= largestBodyBytes || fits(text), "is larger than 5 MB");

function fits(text: string): boolean {
  return new TextEncoder().encode(text).length <= largestBodyBytes;
}

/** `Name <address>` or the bare address. */
export const mailbox = headerText(1000).refine(
  (text) => parseMailbox(text) !== null,
  "is not an email address",
);

export const person = z.strictObject({
  email: headerText(320).pipe(emailAddress),
  name: headerText(200).optional(),
});

export const recipient = z
  .union([mailbox.meta({ example: "ada@example.com" }), person])
  .meta({ id: "Recipient", description: "An address, `Name <address>`, or an object." });

const attachment = z
  .strictObject({
    filename: headerText(255).min(1, "is required").meta({ example: "invoice.pdf" }),
    content: z.string().meta({ description: "Base64.", example: "JVBERi0xLjQK" }),
    contentType: z
      .string()
      .max(200)
      .regex(
        /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(; ?[\w-]+=("[^"\r\n]*"|[\w.+-]+))*$/,
        "is not a MIME type",
      )
      .optional()
      .meta({ example: "application/pdf", description: "Default: application/octet-stream." }),
    contentId: z
      .string()
      .max(200)
      .regex(/^[^\s<>\u0000-\u001f]+$/, "must not contain spaces or angle brackets")
      .optional()
      .meta({ description: "The HTML shows the part as `cid:<contentId>`." }),
  })
  .meta({ id: "Attachment" });

/** `type` is for the document: the generator knows no schema that nothing matches. */
const never = (message: string) =>
  z
    .never({ error: () => message })
    .optional()
    .meta({ type: "null", description: `Refused: ${message}.` });

const headers = z
  .record(
    z.string().regex(headerName, "is not a header name"),
    headerText(998).regex(
      /^[^\u0000-\u0008\u000b-\u001f\u007f]*$/,
      "must not contain control characters",
    ),
  )
  .superRefine((given, check) => {
    for (const name of Object.keys(given)) {
      if (isForbiddenHeader(name)) {
        check.addIssue({
          code: "custom",
          path: [name],
          message: "is set by the service and cannot be given",
        });
      }
    }
    if (Object.keys(given).length > 50) {
      check.addIssue({ code: "custom", message: "holds more than 50 headers" });
    }
  });

const metadata = z
  .record(z.string().min(1).max(100), z.string().max(1000))
  .refine((given) => Object.keys(given).length <= 50, "holds more than 50 keys");

const instant = z.iso.datetime({ offset: true, error: "is not an ISO 8601 time with a zone" });

export const sendInput = z
  .strictObject({
    to: z
      .union([
        recipient,
        z
          .array(recipient)
          .min(1, "names no recipient")
          // Far above the limit, which counts a repeated one once: a bound on the work.
          .max(10 * mostRecipients, `names more than ${mostRecipients} recipients`),
      ])
      .meta({
        description: `Up to ${mostRecipients} recipients, a repeated one counts once; each gets an email and a record of their own.`,
      }),
    from: recipient.meta({ description: "The sender; its domain must be verified." }),
    fromName: headerText(200)
      .optional()
      .meta({ description: "Sender name next to a string `from`." }),
    name: headerText(200).optional().meta({ description: "The same as `fromName`." }),
    subject: headerText(largestSubject)
      .optional()
      .meta({ description: "Liquid.", example: "Hello {{ firstName }}" }),
    body: bodyText.optional().meta({ description: "HTML with Liquid." }),
    html: bodyText.optional().meta({ description: "The same as `body`." }),
    htmlBody: bodyText.optional().meta({ description: "The same as `body`." }),
    text: bodyText.optional().meta({ description: "Plain part; made from the HTML when absent." }),
    template: z
      .string()
      .max(100)
      .optional()
      .meta({ description: "Id of a template, used instead of subject and body." }),
    templateId: z.string().max(100).optional().meta({ description: "The same as `template`." }),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: "Variables; not saved on the contact." }),
    templateData: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: "The same as `data`." }),
    reply: mailbox.optional().meta({ description: "Reply-To." }),
    replyTo: mailbox.optional().meta({ description: "The same as `reply`." }),
    headers: headers.optional(),
    attachments: z
      .array(attachment)
      .max(mostAttachments, `holds more than ${mostAttachments} attachments`)
      .optional(),
    subscribed: z.boolean().optional().meta({
      description:
        "Sets the contact's subscription. Absent: kept; a new contact is not subscribed.",
    }),
    scheduledAt: instant
      .optional()
      .meta({ description: "Up to 30 days ahead.", example: "2026-11-24T08:00:00Z" }),
    metadata: metadata
      .optional()
      .meta({ description: "Up to 50 strings; they come back in webhooks." }),
    tracking: z
      .strictObject({ opens: z.boolean().optional(), clicks: z.boolean().optional() })
      .optional()
      .meta({ description: "Overrides the domain's setting." }),
    cc: never("is not supported: put every recipient into `to`, each has a record of its own"),
    bcc: never("is not supported: put every recipient into `to`, each has a record of its own"),
  })
  .meta({ id: "SendRequest" });
export type SendInput = z.infer<typeof sendInput>;

const contactRef = z.object({ id: z.string(), email: z.string() });

export const sendAnswer = z
  .object({
    success: z.literal(true),
    data: z.object({
      emails: z.array(
        z.object({
          contact: contactRef,
          email: z.string().meta({ description: "Id of the email record: GET /v1/emails/{id}." }),
        }),
      ),
      timestamp: z.iso.datetime(),
    }),
  })
  .meta({ id: "SendAnswer" });
export type SendAnswer = z.infer<typeof sendAnswer>;

export const batchInput = z
  .union([
    z.strictObject({ emails: z.array(z.unknown()).min(1, "is empty") }),
    z.array(z.unknown()).min(1, "is empty"),
  ])
  .meta({
    id: "BatchRequest",
    description: "`{emails: [...]}` with up to 100 send requests, or the bare array.",
  });

export const batchAnswer = z
  .object({
    success: z.literal(true),
    data: z.object({
      results: z.array(
        z.object({
          index: z.int().meta({
            description: "Position in the input; an item with several recipients has several.",
          }),
          contact: contactRef,
          email: z.string(),
        }),
      ),
      timestamp: z.iso.datetime(),
    }),
  })
  .meta({ id: "BatchAnswer" });
export type BatchAnswer = z.infer<typeof batchAnswer>;

const nullableInstant = z.iso.datetime().nullable();

export const emailEvent = z
  .object({
    name: z.enum(emailEventNames),
    data: z.record(z.string(), z.unknown()),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "EmailEvent" });

/** The contract's words for where mail comes from: it calls a list's own mail WORKFLOW. */
export const publicEmailSources = ["TRANSACTIONAL", "CAMPAIGN", "WORKFLOW"] as const;
export type PublicEmailSource = (typeof publicEmailSources)[number];

export function publicEmailSource(source: EmailSource): PublicEmailSource {
  return source === "LIST" ? "WORKFLOW" : source;
}

export function storedEmailSource(source: PublicEmailSource): EmailSource {
  return source === "WORKFLOW" ? "LIST" : source;
}

const summaryShape = {
  id: z.string().meta({ example: "em_01kat4rz8sfq3v6d1mpx3k6w9j" }),
  subject: z.string(),
  status: z.enum(emailStatuses),
  sentAt: nullableInstant,
  contact: contactRef.nullable().meta({ description: "null once the contact was deleted." }),
  source: z.enum(publicEmailSources),
  opens: z.int(),
  clicks: z.int(),
  createdAt: z.iso.datetime(),
};

export const emailSummary = z.object(summaryShape).meta({ id: "EmailSummary" });
export type EmailSummary = z.infer<typeof emailSummary>;

export const emailRecord = z
  .object({
    ...summaryShape,
    from: z.string(),
    fromName: z.string(),
    deliveredAt: nullableInstant,
    openedAt: nullableInstant,
    clickedAt: nullableInstant,
    bouncedAt: nullableInstant,
    complainedAt: nullableInstant,
    scheduledAt: nullableInstant.meta({
      description: "While it waits for a time that was asked for.",
    }),
    template: z.object({ id: z.string(), subject: z.string() }).nullable(),
    messageId: z.string().meta({ description: "The Message-ID on the wire." }),
    campaignId: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    events: z.array(emailEvent),
  })
  .meta({ id: "Email" });
export type EmailRecord = z.infer<typeof emailRecord>;

export const emailQuery = pageQuery.extend({
  status: z.enum(emailStatuses).optional(),
  source: z.enum(publicEmailSources).optional(),
  search: z
    .string()
    .trim()
    .max(320)
    .optional()
    .meta({ description: "Part of the recipient's address, without regard to case." }),
  startDate: z
    .union([z.iso.datetime({ offset: true }), z.iso.date()])
    .optional()
    .meta({ description: "Bounds createdAt, inclusive; a bare date is a UTC day." }),
  endDate: z.union([z.iso.datetime({ offset: true }), z.iso.date()]).optional(),
});
export type EmailQuery = z.infer<typeof emailQuery>;

export const rescheduleInput = z
  .strictObject({
    scheduledAt: instant.meta({ description: "The new time, up to 30 days ahead." }),
  })
  .meta({ id: "EmailUpdate" });
