import { z } from "zod";
import { bodyText } from "@/lib/mail/body-schema";
import { authResults, webhookDeliveryStatuses, emailStatuses } from "@/db/enums";
import { headerText, mailbox } from "@/lib/domain/emails/schema";
import { largestSubject } from "@/lib/domain/emails/terms";
import { sendInput } from "@/lib/domain/emails/send-schema";
import { dateRange, pageQuery } from "@/lib/ground/paging/schema";
import { personView } from "@/lib/mail/message/view-schema";
import { normalizeDomainName } from "@/lib/domain/sending-domains/schema";

const result = z.enum(authResults);

export const originChecks = z
  .object({
    spf: z.object({ result, domain: z.string().nullable() }),
    dkim: z.array(
      z.object({
        result,
        domain: z.string(),
        selector: z.string(),
        aligned: z.boolean().meta({ description: "Whether the signing domain is that of `from`." }),
      }),
    ),
    dmarc: z.object({
      result,
      domain: z.string().nullable(),
      policy: z.string().nullable().meta({
        description: "What that domain asks for when the check fails: none, quarantine, reject.",
      }),
    }),
    arc: z.object({ result }),
  })
  .meta({
    id: "OriginChecks",
    description:
      "Whether the mail comes from where it claims, in the terms of RFC 8601. `temperror`: a name server did not answer. Mail is kept whatever the results.",
  });

export const inboundAttachment = z
  .object({
    filename: z.string(),
    contentType: z.string().meta({ description: "The name the sender gave it." }),
    contentId: z.string().nullable(),
    inline: z.boolean(),
    size: z.int().meta({ description: "Bytes." }),
    url: z.string().meta({
      description: "A link to the file, for anybody who has it. Ask again for a new one.",
    }),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "InboundAttachment" });

export const inboundSummary = z
  .object({
    id: z.string().meta({ example: "inb_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    from: personView,
    to: z.array(z.string()).meta({ description: "The addresses of yours that it was sent to." }),
    subject: z.string(),
    preview: z.string().meta({ description: "The beginning of its text." }),
    emailId: z.string().nullable().meta({ description: "Your email that it answers." }),
    contact: z
      .object({ id: z.string(), email: z.string() })
      .nullable()
      .meta({ description: "The contact who wrote it, or who got the email that it answers." }),
    automatic: z.boolean().meta({
      description: "Written by a machine: an out-of-office reply, a bounce, a mailing list.",
    }),
    authentic: z.boolean().meta({
      description: "DMARC passed, so it does come from the domain that `from` names.",
    }),
    forged: z.boolean().meta({
      description: "DMARC failed, so it may come from somebody else than `from` says.",
    }),
    attachmentCount: z.int(),
    size: z.int().meta({ description: "Bytes of the whole message." }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "InboundSummary" });
export type InboundSummary = z.infer<typeof inboundSummary>;

export const inboundEmail = inboundSummary
  .extend({
    messageId: z.string().nullable().meta({ description: "Without angle brackets." }),
    inReplyTo: z.string().nullable(),
    references: z.array(z.string()),
    replyTo: z.array(personView),
    envelopeFrom: z
      .string()
      .meta({ description: "Empty for a bounce, which must not be answered." }),
    checks: originChecks,
    text: z.string().nullable(),
    html: z.string().nullable().meta({
      description: "Images that came with the message are embedded as data: URLs.",
    }),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    attachments: z.array(inboundAttachment),
    raw: z.string().meta({ description: "The message as text, limited to its first 256 KB." }),
    routes: z.array(z.string()).meta({
      description:
        "Patterns of the routes it took; if there are none, it went to every webhook that listens.",
    }),
    deliveries: z
      .array(
        z.object({
          id: z.string(),
          webhookId: z.string(),
          url: z.string(),
          status: z.enum(webhookDeliveryStatuses),
        }),
      )
      .meta({ description: "The webhooks that were notified of it." }),
    replies: z
      .array(
        z.object({
          emailId: z.string(),
          status: z.enum(emailStatuses),
          createdAt: z.iso.datetime(),
        }),
      )
      .meta({ description: "Oldest first." }),
  })
  .meta({ id: "InboundEmail" });
export type InboundEmail = z.infer<typeof inboundEmail>;

export const inboundQuery = pageQuery.extend({
  ...dateRange,
  search: z.string().trim().max(320).optional().meta({
    description: "Part of the sender's or recipient's address, the name or the subject.",
  }),
  contactId: z.string().max(100).optional().meta({ description: "Only mail from this person." }),
  emailId: z.string().max(100).optional().meta({ description: "Only answers to this email." }),
});
export type InboundQuery = z.infer<typeof inboundQuery>;

export const replyInput = z
  .strictObject({
    text: bodyText.optional().meta({ description: "No Liquid." }),
    html: bodyText.optional().meta({ description: "No Liquid." }),
    body: bodyText.optional().meta({ description: "The same as `html`." }),
    subject: headerText(largestSubject)
      .optional()
      .meta({ description: "Default: the subject of the message, with `Re:` in front." }),
    from: mailbox.optional().meta({
      description: "Default: the address of yours that the message was sent to.",
    }),
    attachments: sendInput.shape.attachments,
    metadata: sendInput.shape.metadata,
  })
  .meta({ id: "InboundReply" });
export type ReplyInput = z.infer<typeof replyInput>;

/** In a pattern, `*` stands for any letters, including none. */
const localPattern = /^[^\s@"(),:;<>[\]\\\u0000-\u001f\u007f]{1,64}$/u;
const mostStars = 5;

/**
 * A pattern as it is stored: `support+*@shop.example`, or `support+*@` for every domain; in lower case. Null when
 * it is not a pattern.
 */
export function normalizePattern(text: string): string | null {
  const pattern = text.trim().toLowerCase();
  const at = pattern.lastIndexOf("@");
  const [local, domain] = [pattern.slice(0, at), pattern.slice(at + 1)];
  if (at < 1 || !localPattern.test(local) || local.split("*").length - 1 > mostStars) return null;
  if (domain === "") return `${local}@`;
  const name = normalizeDomainName(domain);
  return name === null ? null : `${local}@${name}`;
}

export const inboundRouteCreate = z
  .strictObject({
    pattern: z
      .string()
      .max(320)
      .refine(
        (text) => normalizePattern(text) !== null,
        "is not a pattern like support+*@example.com",
      )
      .meta({
        description:
          "`*` stands for any letters. Without a domain (`support+*@`) it applies to all of them.",
        example: "support+*@example.com",
      }),
    webhookId: z.string().max(100),
  })
  .meta({ id: "InboundRouteCreate" });
export type InboundRouteCreate = z.infer<typeof inboundRouteCreate>;

export const inboundRoute = z
  .object({
    id: z.string().meta({ example: "irt_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    pattern: z.string(),
    webhookId: z.string(),
    url: z.string().meta({ description: "The webhook's address." }),
    enabled: z.boolean().meta({ description: "Whether the webhook is switched on." }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "InboundRoute" });
export type InboundRoute = z.infer<typeof inboundRoute>;
