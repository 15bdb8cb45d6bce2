import { decodedLeaf, leavesOf, parseMessageText, withCrlf } from "@/lib/mail/message/raw-message";
import { isAutoReply, isUnsubscribeRequest } from "./auto-reply";
import { statusesOf } from "./delivery-status";
import { feedbackOf } from "./feedback";
import { plainBounceOf } from "./plain-bounce";
import type { ReportPart, ReturnedMail } from "./report";
import { idsIn, type ReturnedIds } from "./returned-ids";

const longestPart = 64 * 1024;

function partsOf(raw: Buffer) {
  const message = parseMessageText(withCrlf(raw.toString("latin1")));
  const parts = (leavesOf(message) ?? []).map((leaf): ReportPart => {
    const end = Math.min(leaf.end, leaf.start + longestPart);
    const text = decodedLeaf(message.body, { ...leaf, end });
    return { type: leaf.type, text, end: leaf.end };
  });
  return { message, parts };
}

/** What the message that a notification (RFC 3464) returns has of ours; null: this is none. */
export function returnedIdsOf(raw: Buffer): ReturnedIds | null {
  const { message, parts } = partsOf(raw);
  const report = parts.find(({ type }) => /^message\/(global-)?delivery-status$/.test(type));
  return report ? idsIn(message.body.slice(report.end)) : null;
}

/**
 * Reads mail that came to a return path or to the address for complaints: delivery status notifications
 * (RFC 3464), feedback reports (RFC 5965) and bounces in prose. The caller limits its size; truncated mail
 * is read as far as it goes.
 */
export function readReturnedMail(raw: Buffer): ReturnedMail {
  const { message, parts } = partsOf(raw);
  return (
    feedbackOf(parts, message.body) ??
    statusesOf(parts) ??
    (isUnsubscribeRequest(message.fields) ? { kind: "unsubscribe" } : null) ??
    (isAutoReply(message.fields) ? { kind: "auto-reply" } : null) ??
    plainBounceOf(message.fields, parts) ?? { kind: "other" }
  );
}
