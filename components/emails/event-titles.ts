import type { EmailEventName } from "@/db/enums";
import type { EmailRecord } from "@/lib/domain/emails/schema";
import { phrases, t } from "@/lib/ground/texts/t";

type Event = EmailRecord["events"][number];

/** Whether a `sent` event is about mail that ended up in the captured mailbox. */
export function isCapture({ name, data }: Event): boolean {
  return name === "sent" && data["response"] === "Captured.";
}

/** Whether a program or another server told us later, rather than the server that the mail was handed to. */
const isReported = ({ data }: Event) => data["via"] !== undefined;

/** Whether the receiver's own server was asked to take the mail: nothing passes it on in between. */
const isDirect = ({ data }: Event) => typeof data["host"] === "string";

/** Whose words an event has. What mail is handed to so that it passes it on speaks for itself, not for the receiver. */
export function serverOf(event: Event): "receiving" | "mail" {
  return isDirect(event) || isReported(event) ? "receiving" : "mail";
}

/** Whether no server of the receiver's proved over TLS who it is, so that none was given the mail. */
export const isUnproved = ({ data }: Event) =>
  data["code"] === 454 && data["enhancedCode"] === "4.7.5";

const wordOf = (value: unknown) => (typeof value === "string" ? value : "");

/** Whether the session broke off: the words are ours then, and there is no code. */
const isLost = ({ data }: Event) =>
  data["code"] === undefined && wordOf(data["response"]).startsWith("The connection was lost");

const enhancedCodeOf = ({ data }: Event) => wordOf(data["enhancedCode"]);

/**
 * Codes of the way there (RFC 3463, section 3.5), by which we say ourselves that no server of the receiver's answered;
 * or a server that passes mail on says so.
 */
const isUnreached = (event: Event) =>
  event.data["cause"] === "unreachable" ||
  (isDirect(event) && /^[45]\.4\./.test(enhancedCodeOf(event)));

/** By which we say ourselves that the address's domain takes no mail. */
const isNobodys = (event: Event) =>
  isDirect(event) && ["5.1.2", "5.1.3", "5.1.10"].includes(enhancedCodeOf(event));

/** Who did not take the mail, and why, where no server's refusal is the reason; null: a server refused it. */
function hindrance(event: Event): string | null {
  if (isUnproved(event)) return t("The receiving server did not prove who it is");
  if (isLost(event)) return t("The connection to the mail server was lost");
  return isUnreached(event) ? t("The receiving server could not be reached") : null;
}

/** Why mail waits for another try. */
export function deferralTitle(event: Event): string {
  if (event.data["stage"] === "sender") {
    return t("The mail server does not accept mail from this sender");
  }
  if (isReported(event)) return t("It is delayed on its way");
  return (
    hindrance(event) ??
    t(
      "The {server, select, receiving {receiving server} other {mail server}} asked to try again later",
      { server: serverOf(event) },
    )
  );
}

/** Why mail came back. */
export function bounceTitle(event: Event): string {
  if (isNobodys(event)) return t("The address takes no mail");
  return (
    hindrance(event) ??
    t("The {server, select, receiving {receiving server} other {mail server}} refused it", {
      server: serverOf(event),
    })
  );
}

const titles: Record<Exclude<EmailEventName, "sent" | "deferred">, string> = phrases({
  queued: "Accepted",
  delivered: "Delivered",
  opened: "Opened",
  clicked: "Clicked",
  bounced: "Bounced",
  complained: "Reported as spam",
  failed: "Not sent",
  suppressed: "Suppressed, not sent",
  unsubscribed: "Unsubscribed",
});

/** What happened, in a few words. */
export function eventTitle(event: Event): string {
  switch (event.name) {
    case "sent":
      if (isCapture(event)) return t("Captured instead of sent");
      return isDirect(event) ? t("Taken by the receiving server") : t("Handed to the mail server");
    case "deferred":
      if (isReported(event)) return t("Delayed on its way");
      if (event.data["stage"] !== undefined) return t("Refused by the mail server for now");
      return (
        hindrance(event) ??
        t("Put off by the {server, select, receiving {receiving server} other {mail server}}", {
          server: serverOf(event),
        })
      );
    default:
      return titles[event.name];
  }
}

/** Which server of the receiver's it was, or was to be; null where another one passes mail on. */
export function hostText({ name, data }: Event): string | null {
  const { host } = data;
  if (typeof host !== "string") return null;
  // Where none answered, the name is that of the address's domain.
  return name === "sent" || name === "delivered"
    ? t("The server was {host}.", { host })
    : t("Tried at {host}.", { host });
}
