import { z } from "zod";
import { mostAttachments, mostRecipients, sendInput } from "@/lib/domain/emails/send-schema";
import { farthestScheduleDays } from "@/lib/domain/emails/terms";
import { openObject } from "@/lib/ground/open-object-schema";
import { invalid } from "@/lib/ground/errors";
import { foldAddress } from "@/lib/mail/address";
import { refused, type Terms } from "./terms";

/** What a field may hold is the domain's to say: far above its limits, these only bound the work. */
export const line = z.string().max(2_000);
export const content = z.string().max(6 * 1024 * 1024);

export const addresses = z.union([
  line,
  z.array(line).max(10 * mostRecipients, `names more than ${mostRecipients} addresses`),
]);

/** A send as Resend's clients write it. What a field may hold is the domain's to say. */
export const sendBody = z.strictObject({
  from: line,
  to: addresses,
  subject: line.optional(),
  html: content.optional(),
  text: content.optional(),
  cc: addresses.optional(),
  bcc: addresses.optional(),
  reply_to: addresses.optional(),
  headers: openObject(line, line).optional(),
  tags: z
    .array(z.strictObject({ name: line, value: line }))
    .max(50)
    .optional(),
  attachments: z
    .array(
      z.strictObject({
        // First, since its fault says more than that the content is missing.
        path: refused("is not fetched: read the file and send it as content"),
        filename: line,
        content: sendInput.shape.attachments.unwrap().element.shape.content,
        content_type: line.optional(),
        content_id: line.optional(),
      }),
    )
    .max(mostAttachments)
    .optional(),
  scheduled_at: line.optional(),
  template: z
    .strictObject({
      id: line,
      variables: openObject(z.string(), z.union([z.string(), z.number()])).optional(),
    })
    .optional(),
  topic_id: refused("is only for broadcasts: people leave topics that campaigns are about"),
});
export type SendBody = z.infer<typeof sendBody>;

/** What faults of a send are told in. */
export const sendTerms: Terms = {
  body: "html",
  replyTo: "reply_to",
  scheduledAt: "scheduled_at",
  contentType: "content_type",
  contentId: "content_id",
  template: "template.id",
  data: "template.variables",
  metadata: "tags",
  // The items of a batch are the body itself.
  emails: "",
};

const isGiven = (value: string | readonly string[] | undefined) =>
  value !== undefined && value.length > 0;

/** Clients leave empty what they do not use. */
function carbonCopies({ cc, bcc }: SendBody) {
  return { ...(isGiven(cc) ? { cc } : {}), ...(isGiven(bcc) ? { bcc } : {}) };
}

export function oneReplyTo(replyTo: SendBody["reply_to"], at: string): string | undefined {
  const [first, ...others] = [replyTo ?? []].flat();
  if (others.length > 0) throw invalid(`${at}reply_to`, "takes one address here");
  return first;
}

function toMetadata(tags: SendBody["tags"], at: string): Record<string, string> | undefined {
  if (!tags) return undefined;
  const names = new Set(tags.map(({ name }) => name));
  if (names.size < tags.length) throw invalid(`${at}tags`, "name the same tag twice");
  return Object.fromEntries(tags.map(({ name, value }) => [name, value]));
}

/**
 * A send in the domain's terms, still to be validated there. `at` is what paths in errors begin with (`[3].`).
 * Throws VALIDATION_ERROR for what would come to something else than Resend makes of it.
 */
export function toSend(body: SendBody, at = ""): Record<string, unknown> {
  const { from, to, subject, html, text, headers, attachments, template } = body;
  for (const [field, value] of Object.entries({ subject, html, text })) {
    if (template && value !== undefined) {
      throw invalid(`${at}${field}`, "cannot be given with a template, which has its own");
    }
  }
  const recipients = new Set([to].flat().map((address) => foldAddress(address.trim())));
  if (body.scheduled_at !== undefined && recipients.size > 1) {
    const each =
      "each gets an email of their own, and the one id of the answer could not cancel them";
    throw invalid(`${at}scheduled_at`, `takes one recipient: ${each}. Send one request for each`);
  }
  return {
    ...{ from, to, subject, html, text, headers, ...carbonCopies(body) },
    replyTo: oneReplyTo(body.reply_to, at),
    metadata: toMetadata(body.tags, at),
    scheduledAt: scheduled(body.scheduled_at, at),
    attachments: attachments?.map(({ filename, content, content_type, content_id }) => ({
      ...{ filename, content, contentType: content_type, contentId: content_id },
    })),
    template: template?.id,
    data: template?.variables,
  };
}

/** Times in words ("in 1 hour") would be understood as something else than was meant. */
export function scheduled(time: string | undefined, at = ""): string | undefined {
  if (time === undefined || z.iso.datetime({ offset: true }).safeParse(time).success) return time;
  throw invalid(
    `${at}scheduled_at`,
    `is not an ISO 8601 time with a zone, like 2026-11-21T09:30:00Z, at most ${farthestScheduleDays} days ahead; times in words are not understood`,
  );
}
