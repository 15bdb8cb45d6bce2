import { changedBy } from "@/lib/domain/contacts/consent-changes";
import { z } from "zod";
import { requireSend, type Context } from "@/lib/ground/context";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { sha256 } from "@/lib/ground/secrets";
import { validate } from "@/lib/ground/validate";
import { refusedSenderDomain, type AcceptMessage } from "./accept";
import { acceptOnce } from "./accept-once";
import type { Replayable } from "./idempotency";
import type { Mailbox } from "./normalize";
import { headerText, person } from "./schema";
import { largestSubject } from "./terms";
import { unverifiedSender } from "./unverified-sender";

/** A message received in finished form. */
export interface RelayedMessage {
  from: { email: string; name?: string | undefined };
  /** For lists and the log; what goes out is in `raw`. */
  subject: string;
  /** The client's Message-ID, without angle brackets; null when there is none that can be kept. */
  headerId: string | null;
  /** The message as it is passed on, with CRLF line ends. */
  raw: Buffer;
  /** Equal for hand-overs that differ only in dates, ids and boundaries. */
  fingerprint: Buffer;
}

/** What a finished message is sent with. */
export interface RelayOptions {
  /** Who gets it, each with a record of their own: distinct, normalized addresses. */
  recipients: readonly Mailbox[];
  idempotencyKey: string | null;
  /** As Received names it: `mail.example.com ([192.0.2.1])`. */
  client: string;
}

const shownHeaders = z.object({ from: person, subject: headerText(largestSubject) });

/** One of our ids names another email: as the client's id it would answer for that one. */
function clientsOwn(headerId: string | null): string | null {
  const [local = ""] = (headerId ?? "").split("@", 1);
  return decodeId("email", local) ? null : headerId;
}

/**
 * Accepts a finished message: no Liquid, no tracking, all or nothing. Resolves to the emails'
 * ids (wire), in the recipients' order. Throws VALIDATION_ERROR, DOMAIN_NOT_VERIFIED,
 * PAYMENT_REQUIRED, CONFLICT (idempotency).
 */
export async function acceptRelayed(
  ctx: Context,
  relayed: RelayedMessage,
  { recipients, idempotencyKey, client }: RelayOptions,
): Promise<Replayable<string[]>> {
  requireSend(ctx);
  const { from, subject } = validate(shownHeaders, {
    from: relayed.from,
    subject: relayed.subject,
  });
  const message: AcceptMessage = {
    to: [...recipients],
    from: { email: from.email, name: from.name?.trim() ?? "" },
    subject,
    html: null,
    text: null,
    templateId: null,
    templateUuid: null,
    data: null,
    replyTo: null,
    headers: null,
    attachments: [
      {
        filename: "message.eml",
        contentType: "message/rfc822",
        contentId: null,
        content: relayed.raw,
        sha256: sha256(relayed.raw),
      },
    ],
    relayed: { headerId: clientsOwn(relayed.headerId), client },
    subscribed: null,
    scheduledAt: null,
    sendBefore: null,
    metadata: null,
    trackOpens: false,
    trackClicks: false,
    liquid: false,
    source: "TRANSACTIONAL",
  };
  const unit = {
    projectId: ctx.projectId,
    testMode: ctx.testMode,
    by: changedBy(ctx),
    messages: [message],
  };
  const body = Buffer.from(
    JSON.stringify([relayed.fingerprint.toString("hex"), recipients.map(({ email }) => email)]),
  );
  try {
    return await acceptOnce(
      ctx,
      idempotencyKey === null ? undefined : { route: "SMTP", key: idempotencyKey, body },
      () => unit,
      (accepted) => accepted.emails.map(({ emailId }) => encodeId("email", emailId)),
    );
  } catch (error) {
    const domain = refusedSenderDomain(error);
    if (domain === null) throw error;
    throw await unverifiedSender(ctx.db, ctx.projectId, domain, "From");
  }
}
