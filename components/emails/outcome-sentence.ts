import { bounceClasses, failureReasons, type BounceClass, type EmailEventName } from "@/db/enums";
import type { EmailRecord } from "@/lib/domain/emails/schema";
import { t } from "@/lib/ground/texts/t";
import { bounceTitle, deferralTitle, isCapture, isUnproved, serverOf } from "./event-titles";
import { failureSentence, suppressionText } from "./failure-sentence";

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

const mayBeFine = () => t("The address itself may be fine.");

type Server = ReturnType<typeof serverOf>;

/** A bounce's cause in words, of whose it is; null: the server's own words say it all. */
const bounceCauses: Record<BounceClass, ((server: Server) => string) | null> = {
  invalid_address: () => t("The address does not exist or does not accept mail."),
  mailbox_full: () => t("The mailbox is full."),
  reputation: (server) =>
    t(
      "The {server, select, receiving {receiving server} other {mail server}} does not trust the sending server or domain.",
      { server },
    ),
  policy: (server) =>
    t(
      "The {server, select, receiving {receiving server} other {mail server}}'s policy rejects this email.",
      { server },
    ),
  content: (server) =>
    t(
      "The {server, select, receiving {receiving server} other {mail server}} considers the content spam or malware.",
      { server },
    ),
  too_large: (server) =>
    t(
      "The message is larger than the {server, select, receiving {receiving server} other {mail server}} accepts.",
      { server },
    ),
  unreachable: () => t("The receiving server could not be reached."),
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

/** Why a server did not take it, whatever that means for the address; null: its own words say it all. */
function causeText(event: Event): string | null {
  if (isUnproved(event)) {
    return t("The receiving server did not prove who it is, as its domain demands.");
  }
  const bounce = bounceClass(event.data);
  return (bounce && bounceCauses[bounce]?.(serverOf(event))) ?? null;
}

/** Why mail came back: the sentence for a `bounced` event. */
export function bounceText(event: Event): string {
  const cause = causeText(event);
  if (isWornOut(event)) {
    return [
      cause,
      t("Mail to this address has bounced too often in a row, so it counts as permanent."),
    ]
      .filter(Boolean)
      .join(" ");
  }
  if (event.data["type"] === "hard") {
    return t("Permanent: The address does not exist or does not accept mail.");
  }
  return cause ?? mayBeFine();
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
      title: t("Scheduled"),
      text: t("It is waiting for its time. Until then it can be rescheduled or cancelled."),
      next: email.scheduledAt,
      reply: null,
    };
  }
  const deferred = last(email, "deferred");
  if (deferred?.data["stage"] === "message") {
    return {
      kind: "warning",
      title: t("The mail server refused it"),
      text: t("Lettermill tries again, in case the server refuses everything at the moment."),
      next: nextTryOf(deferred),
      reply: replyOf(deferred),
    };
  }
  if (deferred) {
    return {
      kind: "warning",
      title: deferralTitle(deferred),
      text: t("Lettermill keeps trying for up to four days."),
      next: nextTryOf(deferred),
      reply: replyOf(deferred),
    };
  }
  const text = t("It goes out as soon as its turn comes, usually within a second.");
  return { ...silent, kind: "info", title: t("In the queue"), text };
}

function failed(email: EmailRecord): OutcomeSentence {
  const end = last(email, "suppressed", "failed");
  if (end?.name === "suppressed") {
    return { ...silent, kind: "warning", title: t("Not sent"), text: suppressionText(end) };
  }
  const code = failureReasons.find((reasonCode) => reasonCode === end?.data["reasonCode"]);
  return { ...silent, ...failureSentence(code ?? "internal_error", textOf(end?.data["reason"])) };
}

function bounced(email: EmailRecord): OutcomeSentence {
  const event = last(email, "bounced");
  const title = event ? bounceTitle(event) : t("It came back");
  return {
    kind: "danger",
    title,
    text:
      event?.data["type"] === "hard"
        ? isWornOut(event)
          ? t(
              "Mail to the address keeps bouncing, so it is now suppressed: nothing more is sent to it.",
            )
          : t("The address does not work, so it is now suppressed: nothing more is sent to it.")
        : softBounceText(event, title),
    next: null,
    reply: event ? replyOf(event) : null,
  };
}

function softBounceText(event: Event | undefined, title: string): string {
  const cause = event && causeText(event);
  if (!cause) {
    return t("It was rejected, or put off for too long. The address itself may be fine.");
  }
  const isSaid =
    bounceClass(event.data) === "unreachable" &&
    title === t("The receiving server could not be reached");
  return isSaid ? mayBeFine() : `${cause} ${mayBeFine()}`;
}

/** Sums up the record's status and events in one sentence. */
export function outcomeSentence(email: EmailRecord): OutcomeSentence {
  const sent = last(email, "sent");
  if (sent && isCapture(sent) && ["SENT", "DELIVERED"].includes(email.status)) {
    return {
      ...silent,
      kind: "success",
      title: t("Captured instead of sent"),
      text: t(
        "It was processed in full and ended up in the captured mailbox. Nobody outside received it.",
      ),
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
        title: t("The recipient reported it as spam"),
        text: t("The address is suppressed: nothing more is sent to it."),
        ...silent,
      };
    case "SENT":
      return {
        ...accepted,
        kind: "info",
        title: t("Accepted, not confirmed"),
        text: t(
          "The mail server or provider that it was handed to took it. No report of its arrival has come back.",
        ),
      };
    case "DELIVERED":
      return {
        ...accepted,
        kind: "success",
        title: t("Delivered"),
        text: t("It has not been opened yet."),
      };
    case "OPENED":
      return {
        ...silent,
        kind: "success",
        title: t("Opened"),
        text: t("It arrived and was opened."),
      };
    case "CLICKED":
      return {
        ...silent,
        kind: "success",
        title: t("Clicked"),
        text: t("It arrived, and a link in it was clicked."),
      };
  }
}
