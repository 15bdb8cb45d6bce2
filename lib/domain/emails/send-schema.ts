import { z } from "zod";
import { openObject } from "@/lib/ground/open-object-schema";
import { instant } from "@/lib/ground/time-schema";
import { bodyText } from "@/lib/mail/body-schema";
import { headerName, isForbiddenHeader } from "@/lib/mail/message/header-names";
import { headerText, mailbox, recipient, contactRef, variables } from "./schema";
import { largestSubject } from "./terms";

export const mostRecipients = 100;
export const mostAttachments = 20;
export const largestAttachmentsBytes = 25 * 1024 * 1024;
/** Base64 of all of it in lines of 76 characters, with room to spare. */
const longestBase64 = 36 * 1024 * 1024;

const attachment = z
  .strictObject({
    filename: headerText(255).min(1, "is required").meta({ example: "invoice.pdf" }),
    content: z
      .string()
      .max(longestBase64)
      .meta({ description: "Base64.", example: "JVBERi0xLjQK" }),
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

/** `type` is for the document: the generator does not know a schema that nothing matches. */
const never = (message: string) =>
  z
    .never({ error: () => message })
    .optional()
    .meta({ type: "null", description: `Refused: ${message}.` });

const mostHeaders = 50;
const headers = openObject(
  z.string().regex(headerName, "is not a header name"),
  headerText(998).regex(
    /^[^\u0000-\u0008\u000b-\u001f\u007f]*$/,
    "must not contain control characters",
  ),
  mostHeaders,
).superRefine((headers, check) => {
  for (const name of Object.keys(headers)) {
    if (isForbiddenHeader(name)) {
      check.addIssue({
        code: "custom",
        path: [name],
        message: "is set by Lettermill and cannot be given",
      });
    }
  }
  if (Object.keys(headers).length > mostHeaders) {
    check.addIssue({ code: "custom", message: `holds more than ${mostHeaders} headers` });
  }
});

const mostMetadata = 50;
const metadata = openObject(z.string().min(1).max(100), z.string().max(1000), mostMetadata).refine(
  (values) => Object.keys(values).length <= mostMetadata,
  `holds more than ${mostMetadata} keys`,
);

export const sendInput = z
  .strictObject({
    to: z
      .union([
        recipient,
        z
          .array(recipient)
          .min(1, "has no recipients")
          // Far above the limit, which counts a repeated recipient once: this only bounds the work.
          .max(10 * mostRecipients, `names more than ${mostRecipients} recipients`),
      ])
      .meta({
        description: `Up to ${mostRecipients} recipients; repeated ones count once. Each gets an email and a record of their own.`,
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
    text: bodyText
      .optional()
      .meta({ description: "Plain-text part; generated from the HTML when absent." }),
    template: z
      .string()
      .max(100)
      .optional()
      .meta({ description: "Id of a template, used instead of subject and body." }),
    templateId: z.string().max(100).optional().meta({ description: "The same as `template`." }),
    data: variables.optional().meta({
      description: "Template variables, at most 1 MB of JSON; not saved on the contact.",
    }),
    templateData: variables.optional().meta({ description: "The same as `data`." }),
    reply: mailbox.optional().meta({ description: "Reply-To." }),
    replyTo: mailbox.optional().meta({ description: "The same as `reply`." }),
    headers: headers.optional(),
    attachments: z
      .array(attachment)
      .max(mostAttachments, `holds more than ${mostAttachments} attachments`)
      .optional(),
    subscribed: z.boolean().optional().meta({
      description:
        "Sets the contact's subscription. If absent, it stays as it is; a new contact is not subscribed.",
    }),
    scheduledAt: instant
      .optional()
      .meta({ description: "Up to 30 days ahead.", example: "2026-11-24T08:00:00Z" }),
    sendBefore: instant.optional().meta({
      description:
        "Mail that has not been handed to the mail server by then is no longer sent and ends as FAILED, with `too_late` as the reason. For codes and reminders that would be useless later.",
      example: "2026-11-24T08:10:00Z",
    }),
    metadata: metadata.optional().meta({ description: "Up to 50 strings, which webhooks return." }),
    tracking: z
      .strictObject({ opens: z.boolean().optional(), clicks: z.boolean().optional() })
      .optional()
      .meta({ description: "Overrides the domain's setting." }),
    cc: never("is not supported: put every recipient into `to`; each gets a record of their own"),
    bcc: never("is not supported: put every recipient into `to`; each gets a record of their own"),
  })
  .meta({ id: "SendRequest" });
export type SendInput = z.infer<typeof sendInput>;

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

export const largestBatch = 100;
/** Counted before they are read, under a code of their own: the bound here is for the document. */
const batchItems = () => z.array(z.unknown()).min(1, "is empty").meta({ maxItems: largestBatch });

export const batchInput = z.union([z.strictObject({ emails: batchItems() }), batchItems()]).meta({
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
            description:
              "Position in the input; an item with several recipients has several entries.",
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
