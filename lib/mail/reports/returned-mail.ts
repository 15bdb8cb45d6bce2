import { decodedLeaf, leavesOf, parseMessageText, withCrlf } from "@/lib/mail/message/raw-message";
import { isAutoReply } from "./auto-reply";
import { statusesOf } from "./delivery-status";
import { feedbackOf } from "./feedback";
import { plainBounceOf } from "./plain-bounce";
import type { ReportPart, ReturnedMail } from "./report";

const longestPart = 64 * 1024;

/**
 * Reads mail that came to a return path or to the address for complaints: delivery status notifications
 * (RFC 3464), feedback reports (RFC 5965) and bounces in prose. The caller limits its size; truncated mail
 * is read as far as it goes.
 */
export function readReturnedMail(raw: Buffer): ReturnedMail {
  const message = parseMessageText(withCrlf(raw.toString("latin1")));
  const parts = (leavesOf(message) ?? []).map((leaf): ReportPart => {
    const end = Math.min(leaf.end, leaf.start + longestPart);
    const text = decodedLeaf(message.body, { ...leaf, end });
    return { type: leaf.type, text, end: leaf.end };
  });
  return (
    feedbackOf(parts, message.body) ??
    statusesOf(parts) ??
    (isAutoReply(message.fields) ? { kind: "auto-reply" } : null) ??
    plainBounceOf(message.fields, parts) ?? { kind: "other" }
  );
}
