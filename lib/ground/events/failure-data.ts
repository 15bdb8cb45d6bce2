import { storableText } from "@/lib/ground/storable-text";
import type { FailureReason } from "@/db/enums";

const sentences: Record<FailureReason, string> = {
  cancelled: "cancelled",
  campaign_cancelled: "campaign cancelled",
  campaign_failed: "campaign failed",
  contact_deleted: "contact deleted",
  message_deleted: "the message was deleted",
  sender_domain_deleted: "the sender domain was deleted",
  content_invalid: "the content cannot be rendered",
  sender_refused: "the mail server does not accept mail from this sender",
  too_late: "its time was over before it could be sent",
  unfinished: "sending was started five times and never finished",
  internal_error: "internal error",
};

/**
 * `data` of an email's `failed` event: a code for programs, words for people. `reason` says it more
 * precisely than the code's own words.
 */
export function failureData(
  reasonCode: FailureReason,
  reason = sentences[reasonCode],
): { reasonCode: FailureReason; reason: string } {
  // Other people's words may hold what Postgres cannot store.
  return { reasonCode, reason: storableText(reason).slice(0, 1000) };
}
