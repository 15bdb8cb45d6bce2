import {
  at,
  bounceOf,
  serverWords,
  textAt,
  type ProviderReport,
  type ReportReader,
} from "./provider-report";

type Event = Omit<ProviderReport, "names">;

/** What the receiving server said: `smtp; 550 5.1.1 No such user`. */
function diagnosis(recipients: unknown) {
  const first: unknown = Array.isArray(recipients) ? recipients[0] : undefined;
  const said = textAt(first, "diagnosticCode").replace(/^smtp;\s*/i, "");
  return serverWords(said, "", textAt(first, "status"));
}

/**
 * Whether a server's notification (RFC 3464) is behind the bounce, by what SES takes over from those alone. Any other
 * mail that came back has none of it.
 */
function isNotification(bounce: unknown): boolean {
  const recipients = at(bounce, "bouncedRecipients");
  const first: unknown = Array.isArray(recipients) ? recipients[0] : undefined;
  return ["action", "status", "diagnosticCode"].some((name) => textAt(first, name) !== "");
}

function readBounce(bounce: unknown): Event | null {
  const words = diagnosis(at(bounce, "bouncedRecipients"));
  const [type, subType] = [textAt(bounce, "bounceType"), textAt(bounce, "bounceSubType")];
  if (subType === "UnsubscribedRecipient") return { report: { kind: "unsubscribed" }, words: null };
  if (type === "Permanent") return bounceOf(words, true);
  // So come automatic replies, such as those of people who are away: SES does not count them as bounces either.
  if (type === "Transient" && subType === "General" && !isNotification(bounce)) return null;
  return bounceOf(words, type === "Transient" ? false : undefined);
}

function readComplaint(complaint: unknown): Event | null {
  // SES sends nothing to an address that complained before.
  if (textAt(complaint, "complaintSubType") === "OnAccountSuppressionList") {
    return bounceOf(serverWords("The address is on the account's suppression list."), false);
  }
  const type = textAt(complaint, "complaintFeedbackType");
  return type === "not-spam"
    ? null
    : { report: { kind: "complained", type: "abuse" }, words: null };
}

function readEvent(json: unknown): Event | null {
  // An identity's notifications and the events of a configuration set differ in this name.
  switch (textAt(json, "eventType") || textAt(json, "notificationType")) {
    case "Delivery":
      return {
        report: { kind: "delivered" },
        words: serverWords(textAt(json, "delivery", "smtpResponse")),
      };
    case "DeliveryDelay":
      return {
        report: { kind: "delayed" },
        words: diagnosis(at(json, "deliveryDelay", "delayedRecipients")),
      };
    case "Bounce":
      return readBounce(at(json, "bounce"));
    case "Complaint":
      return readComplaint(at(json, "complaint"));
    case "Reject":
      return {
        report: { kind: "failed" },
        words: serverWords(textAt(json, "reject", "reason")),
      };
    default:
      return null;
  }
}

/** Only events of a configuration set come with the tags that we sent along. */
function namesOf(mail: unknown): string[] {
  const tag = at(mail, "tags", "lettermill-id");
  return [
    Array.isArray(tag) && typeof tag[0] === "string" ? tag[0] : "",
    textAt(mail, "messageId"),
    textAt(mail, "commonHeaders", "messageId"),
  ];
}

/** https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html */
export const sesReports: ReportReader = {
  label: "Amazon SES",
  reports: (json) => {
    const event = readEvent(json);
    return event ? [{ ...event, names: namesOf(at(json, "mail")) }] : [];
  },
};
