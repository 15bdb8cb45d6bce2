import {
  bounceClasses,
  failureReasons,
  refusalReasons,
  type BounceClass,
  type EmailEventName,
  type FailureReason,
  type RefusalReason,
} from "@/db/enums";
import type { EmailRecord } from "@/lib/domain/emails/schema";

type Event = EmailRecord["events"][number];

/** Why the email was or was not sent, at a glance. */
export interface OutcomeSentence {
  kind: "info" | "success" | "warning" | "danger";
  title: string;
  text: string;
  /** When something is to happen next, ISO. */
  next: string | null;
  /** The server's own words. */
  reply: string | null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** `550 5.1.1 User unknown`: what a mail server said, as it said it; null when none answered. */
export function replyOf({ data }: Event): string | null {
  const [code = "", enhancedCode = "", response = ""] = [
    data["code"],
    data["enhancedCode"],
    data["response"],
  ].map(textOf);
  // Another server's report begins with its codes; in what we were told ourselves they stand apart.
  const codes = [code, enhancedCode].filter(Boolean);
  const complete = codes.some((one) => response.startsWith(one));
  return [...(complete ? [] : codes), response].filter(Boolean).join(" ") || null;
}

/** Whether a `sent` event is about mail that ended up in the captured mailbox. */
export function isCapture({ name, data }: Event): boolean {
  return name === "sent" && data["response"] === "Captured.";
}

const refusals: Record<RefusalReason, string> = {
  hard_bounce: "The address has bounced permanently before, so nothing more is sent to it.",
  complaint: "Its owner reported earlier mail as spam, so nothing more is sent to it.",
  manual: "The address is on the suppression list, put there by hand.",
  domain: "The whole domain of the address is on the suppression list.",
  unsubscribed: "The contact unsubscribed before this email was sent.",
  deleted: "The contact was deleted before this email was sent.",
  paused: "The contact asked for a break before this email was sent.",
  left_topic: "The contact left the campaign’s topic before this email was sent.",
};

/** The sentence for a `suppressed` event. */
export function suppressionText({ data }: Event): string {
  const reason = refusalReasons.find((reasonCode) => reasonCode === data["reason"]);
  return reason ? refusals[reason] : "The address is suppressed.";
}

/** A report's cause in words; null: the server's own words say it all. */
const bounceCauses: Record<BounceClass, string | null> = {
  invalid_address: "The address does not exist or does not accept mail.",
  mailbox_full: "The mailbox is full.",
  reputation: "The receiving server does not trust the sending server or domain.",
  policy: "The receiving server's policy rejects this email.",
  content: "The receiving server considers the content spam or malware.",
  too_large: "The message is larger than the receiving server accepts.",
  unreachable: "The receiving server could not be reached.",
  other: null,
};

/** Whether the address was given up because it kept bouncing, each time for a passing cause. */
function isWornOut({ data }: Event): boolean {
  return (
    data["type"] === "hard" && bounceClass(data) !== null && bounceClass(data) !== "invalid_address"
  );
}

const bounceClass = (data: Event["data"]): BounceClass | null =>
  bounceClasses.find((bounceClass) => bounceClass === data["cause"]) ?? null;

/** Whether no server of the receiver's proved over TLS who it is, so that none was given the mail. */
const isUnproved = ({ data }: Event) => data["code"] === 454 && data["enhancedCode"] === "4.7.5";

const unproved = "The receiving server did not prove who it is, as its domain demands.";

/** Why mail came back: the sentence for a `bounced` event. */
export function bounceText(event: Event): string {
  const bounce = bounceClass(event.data);
  const cause = isUnproved(event) ? unproved : bounce && bounceCauses[bounce];
  if (isWornOut(event)) {
    return [
      cause,
      "Mail to this address has bounced too often in a row, so it counts as permanent.",
    ]
      .filter(Boolean)
      .join(" ");
  }
  if (event.data["type"] === "hard") return `Permanent: ${bounceCauses.invalid_address}`;
  return cause ?? "The address itself may be fine.";
}

/** When the next try after a `deferred` event is due, ISO; null when the event does not say. */
export function nextTryOf({ data, createdAt }: Event): string | null {
  const seconds = data["retryAfterSeconds"];
  if (typeof seconds !== "number") return null;
  return new Date(Date.parse(createdAt) + seconds * 1000).toISOString();
}

function last(email: EmailRecord, ...names: EmailEventName[]): Event | undefined {
  return email.events.findLast(({ name }) => names.includes(name));
}

const silent = { next: null, reply: null };

function pending(email: EmailRecord): OutcomeSentence {
  if (email.scheduledAt) {
    return {
      kind: "info",
      title: "Scheduled",
      text: "It is waiting for its time. Until then it can be rescheduled or cancelled.",
      next: email.scheduledAt,
      reply: null,
    };
  }
  const deferred = last(email, "deferred");
  if (deferred) {
    return {
      kind: "warning",
      title:
        deferred.data["stage"] === "sender"
          ? "The mail server does not accept mail from this sender"
          : isUnproved(deferred)
            ? "The receiving server did not prove who it is"
            : "The receiving server asked to try again later",
      text: "Lettermill keeps trying for up to four days.",
      next: nextTryOf(deferred),
      reply: replyOf(deferred),
    };
  }
  const text = "It goes out as soon as its turn comes, usually within a second.";
  return { ...silent, kind: "info", title: "In the queue", text };
}

function failed(email: EmailRecord): OutcomeSentence {
  const end = last(email, "suppressed", "failed");
  if (end?.name === "suppressed") {
    return { ...silent, kind: "warning", title: "Not sent", text: suppressionText(end) };
  }
  const code = failureReasons.find((reasonCode) => reasonCode === end?.data["reasonCode"]);
  return { ...silent, ...failureSentence(code ?? "internal_error", textOf(end?.data["reason"])) };
}

/** `words` are the server's own for the reason; they may be empty. */
function failureSentence(
  reason: FailureReason,
  words: string,
): Pick<OutcomeSentence, "kind" | "title" | "text"> {
  switch (reason) {
    case "cancelled":
      return {
        kind: "info",
        title: "Cancelled",
        text: "It was cancelled while it was waiting. Nothing was sent.",
      };
    case "campaign_cancelled":
      return {
        kind: "info",
        title: "Cancelled",
        text: "Its campaign was cancelled before this email was sent.",
      };
    case "campaign_failed":
      return {
        kind: "danger",
        title: "Not sent",
        text: "Its campaign failed before this email was sent. The campaign's page says why.",
      };
    case "contact_deleted":
      return {
        kind: "info",
        title: "Not sent",
        text: "The contact was deleted before this email was sent.",
      };
    case "too_late":
      return {
        kind: "warning",
        title: "Not sent",
        text: "It could not be sent before the time that its sender had set (sendBefore).",
      };
    case "message_deleted":
    case "sender_domain_deleted":
    case "content_invalid":
    case "sender_refused":
    case "unfinished":
    case "internal_error":
      return {
        kind: "danger",
        title: "Not sent",
        text: words
          ? `The fault is on our side, not the receiver's: ${words.replace(/\.$/, "")}.`
          : "The fault is on our side, not the receiver's.",
      };
  }
}

function bounced(email: EmailRecord): OutcomeSentence {
  const event = last(email, "bounced");
  const hard = event?.data["type"] === "hard";
  const text = hard
    ? `${event && isWornOut(event) ? "Mail to the address keeps bouncing" : "The address does not work"}, so it is now suppressed: nothing more is sent to it.`
    : "It was rejected, or deferred for four days. The address itself may be fine.";
  return {
    kind: "danger",
    title:
      event && isUnproved(event)
        ? "The receiving server did not prove who it is"
        : "The receiving server refused it",
    text,
    next: null,
    reply: event ? replyOf(event) : null,
  };
}

/** Sums up the record's status and events in one sentence. */
export function outcomeSentence(email: EmailRecord): OutcomeSentence {
  const sent = last(email, "sent");
  if (sent && isCapture(sent) && ["SENT", "DELIVERED"].includes(email.status)) {
    return {
      ...silent,
      kind: "success",
      title: "Captured instead of sent",
      text: "It was processed in full and ended up in the captured mailbox. Nobody outside received it.",
    };
  }
  const accepted = { next: null, reply: sent ? replyOf(sent) : null };
  switch (email.status) {
    case "PENDING":
      return pending(email);
    case "FAILED":
      return failed(email);
    case "BOUNCED":
      return bounced(email);
    case "COMPLAINED":
      return {
        kind: "danger",
        title: "The recipient reported it as spam",
        text: "The address is suppressed: nothing more is sent to it.",
        ...silent,
      };
    case "SENT":
      return {
        ...accepted,
        kind: "info",
        title: "The receiving server accepted it",
        text: "No report has come back since.",
      };
    case "DELIVERED":
      return {
        ...accepted,
        kind: "success",
        title: "Delivered",
        text: "It has not been opened yet.",
      };
    case "OPENED":
      return {
        ...silent,
        kind: "success",
        title: "Opened",
        text: "It arrived and was opened.",
      };
    case "CLICKED":
      return {
        ...silent,
        kind: "success",
        title: "Clicked",
        text: "It arrived, and a link in it was clicked.",
      };
  }
}
