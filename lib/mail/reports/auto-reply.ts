import type { Field } from "@/lib/mail/message/raw-message";
import { fieldValue } from "./report";

const subjects =
  /^(auto(matic)?[ -]?(reply|response)|out of (the )?office|abwesenheit|automatische antwort|r[ée]ponse automatique|respuesta autom[áa]tica|vacation)/i;

/** Whether a machine answers for a person who is away (RFC 3834 and what was used before it). */
export function isAutoReply(fields: readonly Field[]): boolean {
  const submitted = fieldValue(fields, "auto-submitted")?.toLowerCase() ?? "no";
  // Bounces in prose call themselves "auto-generated", too.
  if (submitted.startsWith("auto-replied") || submitted.startsWith("auto-notified")) {
    return !isFromServer(fields);
  }
  if (fieldValue(fields, "x-autoreply") || fieldValue(fields, "x-autorespond")) return true;
  if (/^auto_reply/i.test(fieldValue(fields, "precedence") ?? "")) return true;
  return subjects.test(fieldValue(fields, "subject") ?? "");
}

/** Whether Apple's Mail asks for its user to be unsubscribed: it calls that an automatic reply as well. */
export function isUnsubscribeRequest(fields: readonly Field[]): boolean {
  return fieldValue(fields, "x-apple-unsubscribe")?.toLowerCase() === "true";
}

/** Whether the mail names a mail server as its author. */
export function isFromServer(fields: readonly Field[]): boolean {
  return /mailer-daemon|postmaster|mail delivery (sub)?system/i.test(
    fieldValue(fields, "from") ?? "",
  );
}
