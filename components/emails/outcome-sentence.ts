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
import { bounceTitle, deferralTitle, isCapture, isUnproved, serverOf } from "./event-titles";

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

const deadAddress = "The address does not exist or does not accept mail.";
const mayBeFine = "The address itself may be fine.";

/** A bounce's cause in words, of whose it is; null: the server's own words say it all. */
const bounceCauses: Record<BounceClass, ((server: string) => string) | null> = {
  invalid_address: () => deadAddress,
  mailbox_full: () => "The mailbox is full.",
  reputation: (server) => `The ${server} does not trust the sending server or domain.`,
  policy: (server) => `The ${server}'s policy rejects this email.`,
  content: (server) => `The ${server} considers the content spam or malware.`,
  too_large: (server) => `The message is larger than the ${server} accepts.`,
  unreachable: () => "The receiving server could not be reached.",
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

const unproved = "The receiving server did not prove who it is, as its domain demands.";

/** Why a server did not take it, whatever that means for the address; null: its own words say it all. */
function causeText(event: Event): string | null {
  if (isUnproved(event)) return unproved;
  const bounce = bounceClass(event.data);
  return (bounce && bounceCauses[bounce]?.(serverOf(event))) ?? null;
}

/** Why mail came back: the sentence for a `bounced` event. */
export function bounceText(event: Event): string {
  const cause = causeText(event);
  if (isWornOut(event)) {
    return [
      cause,
      "Mail to this address has bounced too often in a row, so it counts as permanent.",
    ]
      .filter(Boolean)
      .join(" ");
  }
  if (event.data["type"] === "hard") return `Permanent: ${deadAddress}`;
  return cause ?? mayBeFine;
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
  if (deferred?.data["stage"] === "message") {
    return {
      kind: "warning",
      title: "The mail server refused it",
      text: "Lettermill tries again, in case the server refuses everything at the moment.",
      next: nextTryOf(deferred),
      reply: replyOf(deferred),
    };
  }
  if (deferred) {
    return {
      kind: "warning",
      title: deferralTitle(deferred),
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
  const title = event ? bounceTitle(event) : "It came back";
  return {
    kind: "danger",
    title,
    text:
      event?.data["type"] === "hard"
        ? `${isWornOut(event) ? "Mail to the address keeps bouncing" : "The address does not work"}, so it is now suppressed: nothing more is sent to it.`
        : softBounceText(event, title),
    next: null,
    reply: event ? replyOf(event) : null,
  };
}

function softBounceText(event: Event | undefined, title: string): string {
  const cause = event && causeText(event);
  if (!cause) return `It was rejected, or put off for too long. ${mayBeFine}`;
  return cause === `${title}.` ? mayBeFine : `${cause} ${mayBeFine}`;
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
        title: "Accepted, not confirmed",
        text: "The mail server or provider that it was handed to took it. No report of its arrival has come back.",
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
