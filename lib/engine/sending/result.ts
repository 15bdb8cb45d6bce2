import type { CommonRefusal } from "@/lib/engine/guard/guard";
import type { ConnectionKind, EmailEventName, EmailStatus, SuppressionReason } from "@/db/enums";
import type { ClaimedEmail } from "./claim";
import type { SandboxPart } from "./sandbox";
import type { Envelope, Outcome, SmtpReply } from "@/lib/mail/transport";
import {
  retryAfterLossSeconds,
  retryAfterSeconds,
  retryRefusedSeconds,
  retryUncertainSeconds,
} from "./retry-schedule";
import { isAddressFault, isSenderFault } from "@/lib/mail/reports/address-fault";
import { bounceClassOf } from "@/lib/mail/reports/bounce-class";
import { asksForLess } from "./throttling-reply";
import { storableText } from "@/lib/ground/storable-text";
import { failureData } from "@/lib/ground/events/failure-data";

export interface ReportedEvent {
  name: EmailEventName;
  data: Record<string, unknown>;
}

/** What to record about one attempt. */
export interface DeliveryResult {
  email: ClaimedEmail;
  /** null when it stays PENDING. */
  status: EmailStatus | null;
  events: ReportedEvent[];
  /** null when there is nothing left to do. */
  retryAfterSeconds: number | null;
  suppress: SuppressionReason | null;
  /** The subject this person got, when it differs from the message's. */
  subject: string | null;
  captured: { envelope: Envelope; raw: Buffer } | null;
  /**
   * Whether the server takes this sender's mail: taken, or its words if it refused the sender or the message; null when
   * that is not known.
   */
  sender: "taken" | { refusal: string } | null;
  /** The reason, when it is not the recipient: others in the campaign would meet the same fate. */
  commonRefusal: CommonRefusal | null;
  /** The server's words when it asked for less mail: from this sender, or for this receiver. */
  throttling: { words: string; of: "sender" | "receiver" } | null;
  /** Whether the server accepted it. */
  accepted: boolean;
  /** What a provider that accepted it calls it. */
  providerId: string | null;
  /** The receiving host that answered for itself alone; null: a server that passes mail of all receivers on, or none. */
  receiver: string | null;
  /** What it was handed to; null: nobody outside. */
  transport: ConnectionKind | null;
  /** uuid of the domain it was sent from; null when it counts for none, as tests do. */
  domainId: string | null;
}

const nothing = {
  retryAfterSeconds: null,
  suppress: null,
  subject: null,
  captured: null,
  sender: null,
  commonRefusal: null,
  throttling: null,
  accepted: false,
  providerId: null,
  receiver: null,
  transport: null,
  domainId: null,
};

function describe(reply: SmtpReply): Record<string, unknown> {
  return {
    code: reply.code,
    ...(reply.enhancedCode ? { enhancedCode: reply.enhancedCode } : {}),
    response: storableText(reply.text),
  };
}

function bounced(
  email: ClaimedEmail,
  hard: boolean,
  data: Record<string, unknown>,
): DeliveryResult {
  return {
    ...nothing,
    email,
    status: "BOUNCED",
    events: [{ name: "bounced", data: { type: hard ? "hard" : "soft", ...data } }],
    suppress: hard ? "hard_bounce" : null,
  };
}

function deferred(
  email: ClaimedEmail,
  seconds: number | null,
  data: Record<string, unknown>,
  reply: SmtpReply | null = null,
): DeliveryResult {
  if (seconds === null) {
    const cause = reply && { cause: bounceClassOf(reply) };
    return bounced(email, false, { ...data, ...cause, attempts: email.attempts });
  }
  return {
    ...nothing,
    email,
    status: null,
    events: [
      {
        name: "deferred",
        data: { ...data, attempt: email.attempts, retryAfterSeconds: seconds },
      },
    ],
    retryAfterSeconds: seconds,
  };
}

/**
 * What a server's answer, or the lack of one, means for the email. `patient`: a message that is refused for good is tried
 * as long as one that is refused for now.
 */
export function resultOf(
  email: ClaimedEmail,
  outcome: Exclude<Outcome, { kind: "unavailable" | "withheld" | "later" }>,
  patient = false,
): DeliveryResult {
  if (outcome.kind === "lost") {
    const seconds = outcome.written ? retryUncertainSeconds(email) : retryAfterLossSeconds(email);
    return deferred(email, seconds, {
      response: `The connection was lost: ${outcome.reason}`.slice(0, 500),
    });
  }
  if (outcome.receiver !== undefined) return resultOfReceiver(email, outcome, outcome.receiver);
  const data = describe(outcome.reply);
  if (outcome.kind === "accepted") {
    const events: ReportedEvent[] = [{ name: "sent", data }];
    const providerId = storableText(outcome.providerId ?? "") || null;
    return {
      ...nothing,
      email,
      status: "SENT",
      events,
      accepted: true,
      sender: "taken",
      providerId,
    };
  }
  const words = wordsOf(outcome.reply);
  const ofSender = outcome.stage === "sender" || isSenderFault(outcome.reply);
  const throttling = asksForLess(outcome.reply)
    ? { words, of: ofSender ? ("sender" as const) : ("receiver" as const) }
    : null;
  const commonRefusal = throttling === null ? ({ kind: "refused", words } as const) : null;
  if (ofSender) {
    const sender = throttling === null ? { refusal: words } : null;
    return { ...senderRefused(email, data), sender, commonRefusal, throttling };
  }
  // A 250 to MAIL FROM proves nothing: many servers judge the sender once they know the recipient, or the message.
  if (outcome.reply.code < 500) {
    const deferral = deferred(email, retryAfterSeconds(email), data, outcome.reply);
    return { ...deferral, throttling };
  }
  const cause = bounceClassOf(outcome.reply);
  if (isAddressFault(outcome.reply)) return bounced(email, true, { ...data, cause });
  const bounce = { ...bounced(email, false, { ...data, cause }), commonRefusal };
  // A message does not become smaller.
  if (outcome.stage !== "message" || cause === "too_large") return bounce;
  const sender = { refusal: words };
  const seconds = patient ? retryAfterSeconds(email) : retryRefusedSeconds(email);
  return seconds === null
    ? { ...bounce, sender }
    : { ...deferred(email, seconds, { ...data, stage: "message" }), commonRefusal, sender };
}

/**
 * The same of the recipient's own server: what it takes is delivered, and what it refuses, the sender too, is refused
 * by it alone.
 */
function resultOfReceiver(
  email: ClaimedEmail,
  outcome: Extract<Outcome, { kind: "accepted" | "refused" }>,
  receiver: string,
): DeliveryResult {
  const { reply } = outcome;
  const data = { ...describe(reply), host: receiver };
  if (outcome.kind === "accepted") {
    const events: ReportedEvent[] = [
      { name: "sent", data },
      { name: "delivered", data: { host: receiver } },
    ];
    const taken = { accepted: true, sender: "taken" as const, receiver };
    return { ...nothing, email, status: "DELIVERED", events, ...taken };
  }
  const words = wordsOf(reply);
  if (reply.code < 500) {
    const throttling = asksForLess(reply) ? { words, of: "receiver" as const } : null;
    const deferral = deferred(email, retryAfterSeconds(email), data, reply);
    return { ...deferral, throttling, receiver };
  }
  const cause = bounceClassOf(reply);
  // Words about an address are the recipient's only where it was the recipient that was refused.
  const hard = outcome.stage !== "sender" && isAddressFault(reply);
  const commonRefusal = hard ? null : ({ kind: "refused", words } as const);
  return { ...bounced(email, hard, { ...data, cause }), commonRefusal, receiver };
}

function wordsOf({ code, enhancedCode, text }: SmtpReply): string {
  return storableText([code, enhancedCode, text].filter(Boolean).join(" ").slice(0, 500));
}

/** The refusal is about the sender, not the recipient: nothing bounces, and the email can be sent again. */
function senderRefused(email: ClaimedEmail, data: Record<string, unknown>): DeliveryResult {
  const seconds = retryAfterSeconds(email);
  return seconds === null
    ? failedResult(email, "sender_refused")
    : deferred(email, seconds, { ...data, stage: "sender" });
}

/** The message cannot be rendered, at least for this recipient. */
export function unrenderedResult(email: ClaimedEmail, fault: string): DeliveryResult {
  return {
    ...failedResult(email, "content_invalid", fault),
    commonRefusal: { kind: "unrendered", words: fault },
  };
}

/** Our own fault: the email cannot be made, and trying again would not help. */
export function failedResult(
  email: ClaimedEmail,
  ...reason: Parameters<typeof failureData>
): DeliveryResult {
  const data = failureData(...reason);
  return { ...nothing, email, status: "FAILED", events: [{ name: "failed", data }] };
}

/** Something unforeseen went wrong on our side: it is tried again a few times. */
export function troubledResult(email: ClaimedEmail): DeliveryResult {
  if (email.attempts >= 5) return failedResult(email, "internal_error");
  return {
    ...nothing,
    email,
    status: null,
    events: [],
    retryAfterSeconds: retryAfterLossSeconds(email),
  };
}

/** The outcome of mail that is captured, according to the part its recipient plays. */
export function capturedResult(
  email: ClaimedEmail,
  part: SandboxPart,
  captured: { envelope: Envelope; raw: Buffer },
): DeliveryResult {
  const reply = (code: number, enhancedCode: string, text: string) => ({
    code,
    enhancedCode,
    text,
  });
  if (part === "bounced") {
    const refusal = reply(550, "5.1.1", "This address simulates an unknown user.");
    return {
      ...resultOf(email, { kind: "refused", stage: "recipient", reply: refusal }),
      captured,
    };
  }
  // Greylisting as real servers do it: the second attempt is accepted.
  if (part === "deferred" && email.attempts === 1) {
    const refusal = reply(
      451,
      "4.7.1",
      "This address simulates a server that asks to try again later.",
    );
    return {
      ...resultOf(email, { kind: "refused", stage: "recipient", reply: refusal }),
      captured,
    };
  }
  const accepted = describe(reply(250, "2.0.0", "Captured."));
  const events: ReportedEvent[] = [
    { name: "sent", data: accepted },
    { name: "delivered", data: {} },
  ];
  if (part !== "complained") return { ...nothing, email, status: "DELIVERED", events, captured };
  return {
    ...nothing,
    email,
    status: "COMPLAINED",
    events: [...events, { name: "complained", data: { type: "abuse" } }],
    suppress: "complaint",
    captured,
  };
}
