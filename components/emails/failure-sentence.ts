import { refusalReasons, type FailureReason, type RefusalReason } from "@/db/enums";
import type { EmailRecord } from "@/lib/domain/emails/schema";
import { phrases, t } from "@/lib/ground/texts/t";
import type { OutcomeSentence } from "./outcome-sentence";

type Event = EmailRecord["events"][number];

const refusals: Record<RefusalReason, string> = phrases({
  hard_bounce: "The address has bounced permanently before, so nothing more is sent to it.",
  complaint: "Its owner reported earlier mail as spam, so nothing more is sent to it.",
  manual: "The address is on the suppression list, put there by hand.",
  domain: "The whole domain of the address is on the suppression list.",
  unsubscribed: "The contact unsubscribed before this email was sent.",
  deleted: "The contact was deleted before this email was sent.",
  paused: "The contact asked for a break before this email was sent.",
  left_topic: "The contact left the campaign’s topic before this email was sent.",
});

/** The sentence for a `suppressed` event. */
export function suppressionText({ data }: Event): string {
  const reason = refusalReasons.find((reasonCode) => reasonCode === data["reason"]);
  return reason ? refusals[reason] : t("The address is suppressed.");
}

/** Why an email was not sent. `words` are the server's own for the reason; they may be empty. */
export function failureSentence(
  reason: FailureReason,
  words: string,
): Pick<OutcomeSentence, "kind" | "title" | "text"> {
  switch (reason) {
    case "cancelled":
      return {
        kind: "info",
        title: t("Cancelled"),
        text: t("It was cancelled while it was waiting. Nothing was sent."),
      };
    case "campaign_cancelled":
      return {
        kind: "info",
        title: t("Cancelled"),
        text: t("Its campaign was cancelled before this email was sent."),
      };
    case "campaign_failed":
      return {
        kind: "danger",
        title: t("Not sent"),
        text: t("Its campaign failed before this email was sent. The campaign's page says why."),
      };
    case "contact_deleted":
      return {
        kind: "info",
        title: t("Not sent"),
        text: t("The contact was deleted before this email was sent."),
      };
    case "too_late":
      return {
        kind: "warning",
        title: t("Not sent"),
        text: t("It could not be sent before the time that its sender had set (sendBefore)."),
      };
    case "message_deleted":
    case "sender_domain_deleted":
    case "content_invalid":
    case "sender_refused":
    case "unfinished":
    case "internal_error":
      return {
        kind: "danger",
        title: t("Not sent"),
        text: words
          ? t("The fault is on our side, not the receiver's: {reason}.", {
              reason: words.replace(/\.$/, ""),
            })
          : t("The fault is on our side, not the receiver's."),
      };
  }
}
