import { equalSecrets } from "@/lib/ground/secrets";
import { webhookUser } from "@/lib/ground/providers/webhook-secrets";
import {
  bounceOf,
  serverWords,
  textAt,
  type HookCall,
  type ProviderHook,
  type ProviderReport,
} from "./provider-report";

/** It signs nothing: the address that it calls contains a password. */
function proves({ headers }: HookCall, secret: string): boolean {
  const credentials = Buffer.from(`${webhookUser}:${secret}`).toString("base64");
  return equalSecrets(headers.get("authorization") ?? "", `Basic ${credentials}`);
}

const hardTypes = new Set(["HardBounce", "BadEmailAddress", "ManuallyDeactivated"]);
const softTypes = new Set([
  ...["SoftBounce", "DnsError", "SpamNotification", "Blocked", "DMARCPolicy", "Unknown"],
  ...["VirusNotification", "SMTPApiError", "OpenRelayTest"],
]);

function readBounce(json: unknown): Omit<ProviderReport, "names"> | null {
  const type = textAt(json, "Type");
  const words = serverWords(textAt(json, "Details") || textAt(json, "Description"));
  if (hardTypes.has(type)) return bounceOf(words, true);
  if (softTypes.has(type)) return bounceOf(words, false);
  // Postmark goes on trying.
  if (type === "Transient") return { report: { kind: "delayed" }, words };
  if (type === "SpamComplaint")
    return { report: { kind: "complained", type: "abuse" }, words: null };
  if (type === "Unsubscribe") return { report: { kind: "unsubscribed" }, words: null };
  // Automatic replies, changes of address.
  return null;
}

function readEvent(json: unknown): Omit<ProviderReport, "names"> | null {
  switch (textAt(json, "RecordType")) {
    case "Delivery":
      return { report: { kind: "delivered" }, words: serverWords(textAt(json, "Details")) };
    case "Bounce":
      return readBounce(json);
    case "SpamComplaint":
      return { report: { kind: "complained", type: "abuse" }, words: null };
    case "SubscriptionChange": {
      const { SuppressSending: ended, Origin: origin } = json as Record<string, unknown>;
      const byReader = textAt(json, "SuppressionReason") === "ManualSuppression";
      return ended === true && byReader && origin === "Recipient"
        ? { report: { kind: "unsubscribed" }, words: null }
        : null;
    }
    default:
      return null;
  }
}

/** https://postmarkapp.com/developer/webhooks/webhooks-overview */
export const postmarkHook: ProviderHook = {
  label: "Postmark",
  proves,
  reports: (json) => {
    const event = readEvent(json);
    const names = [textAt(json, "Metadata", "lettermill-id"), textAt(json, "MessageID")];
    return event ? [{ ...event, names }] : [];
  },
};
