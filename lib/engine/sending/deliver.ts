import { buildEmail } from "@/lib/mail/content/build-email";
import { isAppError } from "@/lib/ground/errors";
import { tracedStep } from "@/lib/ground/traces/traces";
import type { ClaimedEmail } from "./claim";
import { withinMemory, type MailMemory } from "@/lib/mail/content/mail-memory";
import type { MessageContent, MessageContents } from "@/lib/mail/content/message-contents";
import {
  composeContent,
  type ComposedContent,
  type ComposeOptions,
} from "@/lib/mail/content/compose-content";
import {
  capturedResult,
  failedResult,
  resultOf,
  unrenderedResult,
  type DeliveryResult,
} from "./result";
import { returnPathOf } from "@/lib/mail/return-path";
import { sandboxPart } from "./sandbox";
import type { Envelope, HandOver, Transport } from "@/lib/mail/transport";

export interface Delivery {
  contents: MessageContents;
  /** null: everything is captured. */
  transport: Handing | null;
  lane: HandOver["lane"];
  /** What takes the mail of a sending connection; null when the connection is gone. `waits`: not now. */
  connection: (id: string) => Promise<Handing | null | "waits">;
  /**
   * Asked just before the message leaves; false when the lease has run out, or the person may no longer get it.
   * Never throws.
   */
  mayStart: () => Promise<boolean>;
  /** Wraps the rendering, which may have to wait for a thread. */
  whileRendering: NonNullable<ComposeOptions["whileRendering"]>;
  /** What the email takes until its result is recorded. */
  memory: MailMemory;
  /** Whether a message that is refused for good is tried for days nevertheless. */
  patient: boolean;
}

/** The part of a transport that mail passes through. */
export type Handing = Pick<Transport, "kind" | "available" | "deliver" | "waitSeconds">;

/** What came of an attempt that left nothing to record; `seconds`: the recipient's server takes it then. */
export type NotAttempted = "withheld" | "waits" | "unavailable" | { seconds: number };

/**
 * Makes one claimed email and hands it over, unless it may not start (`withheld`), its sending connection (`waits`)
 * or its recipient's server (`seconds`) takes nothing now, or there is no session with the mail server
 * (`unavailable`). Throws anything that is neither the email's nor the receiver's fault, such as a missing
 * database.
 */
export async function deliverEmail(
  email: ClaimedEmail,
  { contents, transport, lane, connection, mayStart, whileRendering, memory, patient }: Delivery,
): Promise<DeliveryResult | NotAttempted> {
  const message = await contents.get(email.messageId);
  if (!message) return failedResult(email, "message_deleted");
  if (!message.domain) return failedResult(email, "sender_domain_deleted");
  const { connectionId } = message;
  const captured = isCaptured(email, message, transport);
  const own = connectionId === null || captured ? null : await connection(connectionId);
  if (own === "waits") return "waits";
  const handing = own ?? transport;
  if (handing && !captured) {
    if (!handing.available) return "unavailable";
    const seconds = handing.waitSeconds?.(email.recipient, lane) ?? 0;
    if (seconds > 0) return { seconds };
  }
  let composed: ComposedContent;
  try {
    composed = await withinMemory(message, memory, () =>
      tracedStep("render mail", {}, () =>
        composeContent(message, email, contents, { whileRendering }),
      ),
    );
  } catch (error) {
    if (!isAppError(error)) throw error;
    return unrenderedResult(email, error.message);
  }
  const envelope: Envelope = {
    from: returnPathOf(email.id, message.domain.name),
    to: email.recipient,
    // Notifications that nobody here reads would fill somebody else's mailbox.
    ...(message.domain.readsReturns ? { notifyAs: email.id } : {}),
  };
  const raw = await tracedStep("build mail", {}, () =>
    buildEmail(email, message, composed, contents),
  );
  const result = await handOver(email, message, envelope, raw, {
    transport: handing,
    lane,
    mayStart,
    patient,
  });
  if (typeof result === "string" || "seconds" in result) return result;
  const subject = composed.subject === message.subject ? result.subject : composed.subject;
  return { ...result, subject, domainId: message.test ? null : message.domain.id };
}

function isCaptured(
  { recipient }: ClaimedEmail,
  { test, domain }: MessageContent,
  transport: Handing | null,
): boolean {
  return !transport || test || domain?.builtIn === true || sandboxPart(recipient) !== null;
}

async function handOver(
  email: ClaimedEmail,
  message: MessageContent,
  envelope: Envelope,
  raw: Buffer,
  {
    transport,
    lane,
    mayStart,
    patient,
  }: Pick<Delivery, "transport" | "lane" | "mayStart" | "patient">,
): Promise<DeliveryResult | NotAttempted> {
  if (!transport || isCaptured(email, message, transport)) {
    if (!(await mayStart())) return "withheld";
    return capturedResult(email, sandboxPart(email.recipient) ?? "delivered", { envelope, raw });
  }
  const outcome = await tracedStep("hand mail over", { kind: "client" }, async (span) => {
    const came = await transport.deliver(envelope, raw, { mayStart, lane });
    span.setAttribute("lettermill.outcome", came.kind);
    return came;
  });
  if (outcome.kind === "later") return { seconds: outcome.seconds };
  return outcome.kind === "unavailable" || outcome.kind === "withheld"
    ? outcome.kind
    : { ...resultOf(email, outcome, patient), transport: transport.kind };
}
