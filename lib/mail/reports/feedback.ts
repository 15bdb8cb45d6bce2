import { parseFields, withCrlf } from "@/lib/mail/message/raw-message";
import { fieldValue, withoutType, type ReportPart, type ReturnedMail } from "./report";

/*
 * Feedback reports (ARF, RFC 5965): a person pressed "this is spam". Large providers leave out who it was
 * (Yahoo, Microsoft); the returned message tells which mail it was about.
 */

const reportedTypes = /^(abuse|fraud|virus|other|not-spam|opt-out|auth-failure|dmarc)$/;

/** Null: this is no complaint. */
export function feedbackOf(parts: readonly ReportPart[], body: string): ReturnedMail | null {
  const report = parts.find(({ type }) => type === "message/feedback-report");
  if (!report) return null;
  const fields = parseFields(withCrlf(report.text).trim());
  const stated = (fieldValue(fields, "feedback-type") ?? "").toLowerCase();
  // "Not spam" is praise, and failed authentication is nobody's complaint.
  if (/^(not-spam|auth-failure|dmarc)$/.test(stated)) return { kind: "other" };
  return {
    kind: "complaint",
    type: reportedTypes.test(stated) ? stated : "abuse",
    messageId: messageIdIn(body.slice(report.end)),
    reportedBy: withoutType(fieldValue(fields, "reporting-mta")) ?? fieldValue(fields, "source-ip"),
  };
}

/** From the message returned after the report, which may be whole or only its header. */
function messageIdIn(returned: string): string | null {
  return /\r\nmessage-id:[ \t]*(?:\r\n[ \t]+)?<([^<>\s]{1,250})>/i.exec(returned)?.[1] ?? null;
}
