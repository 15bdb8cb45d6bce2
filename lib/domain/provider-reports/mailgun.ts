import { createHmac } from "node:crypto";
import { equalSecrets } from "@/lib/ground/secrets";
import {
  at,
  bounceOf,
  serverWords,
  textAt,
  type HookCall,
  type ProviderHook,
  type ProviderReport,
} from "./provider-report";

/** It retries for eight hours, and its tokens are remembered for a day. */
const oldestSeconds = 12 * 60 * 60;
const toleranceSeconds = 300;

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks: the body is not signed. */
function proves(call: HookCall, secret: string, seconds: number): boolean {
  let json: unknown;
  try {
    json = call.json();
  } catch {
    return false;
  }
  const timestamp = textAt(json, "signature", "timestamp");
  const token = nonce(json);
  if (!/^\d{1,12}$/.test(timestamp) || !/^[\w-]{10,200}$/.test(token)) return false;
  const age = seconds - Number(timestamp);
  if (age > oldestSeconds || age < -toleranceSeconds) return false;
  const signature = createHmac("sha256", secret).update(timestamp).update(token).digest("hex");
  return equalSecrets(textAt(json, "signature", "signature"), signature);
}

const nonce = (json: unknown) => textAt(json, "signature", "token");

function readFailure(data: unknown): Omit<ProviderReport, "names"> {
  const status = at(data, "delivery-status");
  const words = serverWords(
    textAt(status, "message") || textAt(status, "description"),
    textAt(status, "code"),
    textAt(status, "enhanced-code"),
  );
  if (textAt(data, "severity") === "temporary") return { report: { kind: "delayed" }, words };
  // Mailgun sends nothing to an address that bounced before, or to one whose reader objected.
  const reason = textAt(data, "reason");
  if (reason === "suppress-bounce") return bounceOf(words, true);
  return bounceOf(words, reason.startsWith("suppress-") ? false : undefined);
}

function readEvent(data: unknown): Omit<ProviderReport, "names"> | null {
  switch (textAt(data, "event")) {
    case "delivered":
      return { report: { kind: "delivered" }, words: null };
    case "failed":
      return readFailure(data);
    case "rejected":
      return {
        report: { kind: "failed" },
        words: serverWords(textAt(data, "reject", "reason")),
      };
    case "complained":
      return { report: { kind: "complained", type: "abuse" }, words: null };
    case "unsubscribed":
      return { report: { kind: "unsubscribed" }, words: null };
    default:
      return null;
  }
}

export const mailgunHook: ProviderHook = {
  label: "Mailgun",
  proves,
  nonce,
  reports: (json) => {
    const data = at(json, "event-data");
    const event = readEvent(data);
    const names = [
      textAt(data, "user-variables", "lettermill-id"),
      textAt(data, "message", "headers", "message-id"),
    ];
    return event ? [{ ...event, names }] : [];
  },
};
