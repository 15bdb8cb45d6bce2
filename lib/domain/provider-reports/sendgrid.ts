import { verify } from "node:crypto";
import { verificationKey } from "@/lib/ground/providers/webhook-secrets";
import {
  bounceOf,
  serverWords,
  textAt,
  type HookCall,
  type ProviderHook,
  type ProviderReport,
} from "./provider-report";

/** https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features */
function proves({ headers, body }: HookCall, secret: string): boolean {
  const timestamp = headers.get("x-twilio-email-event-webhook-timestamp") ?? "";
  const signature = headers.get("x-twilio-email-event-webhook-signature") ?? "";
  if (timestamp === "" || signature === "") return false;
  const signed = Buffer.concat([Buffer.from(timestamp), body]);
  return verify("sha256", signed, verificationKey(secret), Buffer.from(signature, "base64"));
}

const hardReasons = /^(bounced address|invalid)$/i;
/** What it drops for the account's or the request's sake says nothing of the reader. */
const ownReasons = /package quota|smtpapi/i;

function readBounce(event: unknown): Omit<ProviderReport, "names"> {
  const words = serverWords(textAt(event, "reason"), "", textAt(event, "status"));
  if (textAt(event, "type") === "blocked") return bounceOf(words, false);
  const classified = textAt(event, "bounce_classification");
  if (classified === "Invalid Address") return bounceOf(words, true);
  if (classified !== "" && classified !== "Unclassified") return bounceOf(words, false);
  const read = bounceOf(words);
  // Its word for an address that it will not write to again.
  return read.cause === "other" ? bounceOf(words, true) : read;
}

function readEvent(event: unknown): Omit<ProviderReport, "names"> | null {
  const words = serverWords(textAt(event, "response") || textAt(event, "reason"));
  switch (textAt(event, "event")) {
    case "delivered":
      return { report: { kind: "delivered" }, words };
    case "deferred":
      return { report: { kind: "delayed" }, words };
    case "bounce":
      return readBounce(event);
    case "dropped":
      if (ownReasons.test(words.text)) return { ...bounceOf(words, false), cause: "policy" };
      return bounceOf(words, hardReasons.test(words.text));
    case "spamreport":
      return { report: { kind: "complained", type: "abuse" }, words: null };
    case "unsubscribe":
    case "group_unsubscribe":
      return { report: { kind: "unsubscribed" }, words: null };
    default:
      return null;
  }
}

/** Its id is followed by what became of the mail on the way. */
const idOf = (event: unknown) => textAt(event, "sg_message_id").split(".", 1)[0] ?? "";

/** https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event: many events at a time. */
export const sendgridHook: ProviderHook = {
  label: "SendGrid",
  proves,
  reports: (json) =>
    (Array.isArray(json) ? (json as unknown[]) : []).flatMap((event) => {
      const read = readEvent(event);
      const names = [textAt(event, "lettermill-id"), textAt(event, "smtp-id"), idOf(event)];
      return read ? [{ ...read, names }] : [];
    }),
};
