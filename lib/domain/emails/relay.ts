import { requireSend, type Context } from "@/lib/ground/context";
import { AppError, invalid } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { sha256 } from "@/lib/ground/secrets";
import { validate } from "@/lib/ground/validate";
import type { AcceptMessage } from "./accept";
import { acceptOnce } from "./accept-once";
import type { Replayable } from "./idempotency";
import type { AttachmentContent, Mailbox } from "./normalize";
import { largestAttachmentsBytes, relayedMessage, type RelayedMessage } from "./schema";

/** What a finished message is sent with. */
export interface RelayOptions {
  /** Who gets it, each with a record of their own: distinct, normalized addresses. */
  recipients: readonly Mailbox[];
  idempotencyKey: string | null;
}

function checkText(value: unknown, path: string): void {
  if (typeof value === "string") {
    if (value.includes("\0")) throw invalid(path, "must not contain NUL (U+0000)");
    if (!value.isWellFormed()) throw invalid(path, "must not contain lone surrogates");
  } else if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value)) {
    for (const [key, inner] of Object.entries(value)) {
      checkText(inner, path ? `${path}.${key}` : key);
    }
  }
}

function toAttachments(message: RelayedMessage): AttachmentContent[] {
  const total = message.attachments.reduce((sum, { content }) => sum + content.byteLength, 0);
  if (total > largestAttachmentsBytes) {
    throw new AppError("PAYLOAD_TOO_LARGE", "The attachments are larger than 25 MB in all.");
  }
  return message.attachments.map(({ filename, contentType, contentId, content: bytes }) => {
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return {
      filename,
      contentType: contentType ?? "application/octet-stream",
      contentId: contentId ?? null,
      content,
      sha256: sha256(content),
    };
  });
}

/** What makes two hand-overs the same: a client that tries again writes new dates and boundaries. */
function fingerprint(message: AcceptMessage): Uint8Array {
  const { attachments, ...content } = message;
  return Buffer.from(
    JSON.stringify({
      ...content,
      attachments: attachments.map(({ content: _, sha256: hash, ...part }) => ({
        ...part,
        sha256: hash.toString("hex"),
      })),
    }),
  );
}

/**
 * Accepts a message that came in whole: no Liquid, no tracking, all or nothing. Resolves to the emails'
 * ids (wire), in the recipients' order. Throws VALIDATION_ERROR, DOMAIN_NOT_VERIFIED,
 * PAYMENT_REQUIRED, PAYLOAD_TOO_LARGE, CONFLICT (idempotency).
 */
export async function acceptRelayed(
  ctx: Context,
  input: RelayedMessage,
  { recipients, idempotencyKey }: RelayOptions,
): Promise<Replayable<string[]>> {
  requireSend(ctx);
  checkText(input, "");
  const given = validate(relayedMessage, input);
  const message: AcceptMessage = {
    to: [...recipients],
    from: { email: given.from.email, name: given.from.name?.trim() ?? "" },
    subject: given.subject,
    html: given.html,
    text: given.text,
    templateId: null,
    templateUuid: null,
    data: null,
    replyTo: given.replyTo,
    headers: given.headers,
    attachments: toAttachments(given),
    subscribed: null,
    scheduledAt: null,
    metadata: null,
    trackOpens: false,
    trackClicks: false,
    liquid: false,
    source: "TRANSACTIONAL",
  };
  const unit = { projectId: ctx.projectId, testMode: ctx.testMode, messages: [message] };
  return acceptOnce(
    ctx,
    idempotencyKey === null
      ? undefined
      : { route: "SMTP", key: idempotencyKey, body: fingerprint(message) },
    () => unit,
    (accepted) => accepted.emails.map(({ emailId }) => encodeId("email", emailId)),
  );
}
