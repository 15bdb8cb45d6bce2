import { z } from "zod";
import { openObject } from "@/lib/ground/open-object-schema";
import { instant } from "@/lib/ground/time-schema";
import { emailEventNames, emailStatuses } from "@/db/enums";
import { emailAddress, notAnAddress, parseMailbox } from "@/lib/mail/address";
import { fits } from "@/lib/mail/body-schema";
import { dateRange, pageQuery, pageSchema } from "@/lib/ground/paging/schema";
import { largestSubject, logEvents, publicEmailSources } from "./terms";

const largestVariablesBytes = 1024 * 1024;

/** Text that becomes part of a header: a line break in it would start another header. */
export const headerText = (longest: number) =>
  z
    .string()
    .max(longest, `is longer than ${longest} characters`)
    .regex(/^[^\r\n]*$/, "must not contain line breaks (CR, LF)");

/** What a request gives a template besides the contact's fields: 1 MB of JSON in UTF-8. */
export const variables = openObject(z.string(), z.unknown()).refine(
  (values) => fits(JSON.stringify(values), largestVariablesBytes),
  "is larger than 1 MB of JSON",
);

/** `Name <address>` or the bare address. */
export const mailbox = headerText(1000).refine((text) => parseMailbox(text) !== null, notAnAddress);

export const person = z.strictObject({
  email: headerText(320).pipe(emailAddress),
  name: headerText(200).optional(),
});

export const recipient = z
  .union([mailbox.meta({ example: "ada@example.com" }), person])
  .meta({ id: "Recipient", description: "An address, `Name <address>`, or an object." });

const mostTestRecipients = 5;

/** Who gets a test of a mail. */
export const testRecipients = z
  .union([
    recipient,
    z
      .array(recipient)
      .min(1, "has no recipients")
      .max(mostTestRecipients, `names more than ${mostTestRecipients} recipients`),
  ])
  .meta({ description: `Up to ${mostTestRecipients} recipients.` });

export const contactRef = z.object({ id: z.string(), email: z.string() });

const nullableInstant = z.iso.datetime().nullable();

export const emailEvent = z
  .object({
    name: z.enum(emailEventNames),
    data: z.record(z.string(), z.unknown()),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "EmailEvent" });

const summaryShape = {
  id: z.string().meta({ example: "em_01kat4rz8sfq3v6d1mpx3k6w9j" }),
  subject: z.string(),
  status: z.enum(emailStatuses),
  sentAt: nullableInstant,
  contact: contactRef.nullable().meta({
    description:
      "null once the contact has been deleted, and for a test of a template to somebody who is none.",
  }),
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
      description: "Only present while it waits for its scheduled time.",
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
  event: z.enum(logEvents).optional().meta({
    description:
      "Only emails to which this has happened, whatever came after: one that was clicked was opened, too. What programs open and click of their own accord does not count.",
  }),
  campaignId: z
    .string()
    .max(100)
    .optional()
    .meta({ description: "Only this campaign's. 404 for one that does not exist." }),
  subject: z.string().max(largestSubject).optional().meta({
    description:
      "Only emails with exactly this subject, as it was written (with its variables) or as the recipient got it.",
  }),
  templateId: z.string().max(100).optional().meta({
    description:
      "Only emails made from this template, whichever version, also once it has been deleted. 404 for one that never was.",
  }),
  messageId: z.string().trim().max(1000).optional().meta({
    description:
      "Only emails with this Message-ID, in angle brackets or not, or that their provider knows by this id.",
  }),
  source: z.enum(publicEmailSources).optional(),
  search: z
    .string()
    .trim()
    .max(320)
    .optional()
    .meta({ description: "Part of the recipient's address; case does not matter." }),
  ...dateRange,
});
export type EmailQuery = z.infer<typeof emailQuery>;

export const emailPage = pageSchema(emailSummary)
  .extend({
    searchedTo: z.iso.datetime().optional().meta({
      description:
        "Present when a filtered answer came before the page was full: everything accepted since then was searched, and `nextCursor` continues from there.",
    }),
  })
  .meta({ id: "EmailPage" });
export type EmailPage = z.infer<typeof emailPage>;

export const rescheduleInput = z
  .strictObject({
    scheduledAt: instant.meta({ description: "The new time, up to 30 days ahead." }),
  })
  .meta({ id: "EmailUpdate" });
