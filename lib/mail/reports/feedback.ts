import { parseFields, withCrlf } from "@/lib/mail/message/raw-message";
import { fieldValue, withoutType, type ReportPart, type ReturnedMail } from "./report";
import { addressIn, idsIn } from "./returned-ids";

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
  const returned = idsIn(body.slice(report.end));
  return {
    kind: "complaint",
    type: reportedTypes.test(stated) ? stated : "abuse",
    ...returned,
    returnPath: addressIn(fields, "original-mail-from") ?? returned.returnPath,
    // Not the source-ip of a redacted report: that is where the mail came from, and so ours.
    reportedBy: withoutType(fieldValue(fields, "reporting-mta")),
  };
}
