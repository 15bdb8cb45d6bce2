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

const toleranceSeconds = 300;
const mostSignatures = 10;

/** https://docs.svix.com/receiving/verifying-payloads/how-manual: each try is signed anew. */
function proves({ headers, body }: HookCall, secret: string, seconds: number): boolean {
  const id = headers.get("svix-id") ?? "";
  const timestamp = headers.get("svix-timestamp") ?? "";
  if (!/^\d{1,12}$/.test(timestamp) || id === "") return false;
  if (Math.abs(seconds - Number(timestamp)) > toleranceSeconds) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key)
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest("base64");
  return (headers.get("svix-signature") ?? "")
    .split(" ")
    .slice(0, mostSignatures)
    .some((shown) => equalSecrets(shown, `v1,${signature}`));
}

/** Tags come back as an object by name, or as the list that was sent. */
function idTag(tags: unknown): string {
  if (!Array.isArray(tags)) return textAt(tags, "lettermill-id");
  const own: unknown = tags.find((tag) => textAt(tag, "name") === "lettermill-id");
  return textAt(own, "value");
}

function readEvent(type: string, data: unknown): Omit<ProviderReport, "names"> | null {
  switch (type) {
    case "email.delivered":
      return { report: { kind: "delivered" }, words: null };
    case "email.delivery_delayed":
      return { report: { kind: "delayed" }, words: null };
    case "email.complained":
      return { report: { kind: "complained", type: "abuse" }, words: null };
    case "email.bounced": {
      const kind = textAt(data, "bounce", "type");
      const words = serverWords(textAt(data, "bounce", "message"));
      return bounceOf(
        words,
        kind === "Permanent" ? true : kind === "Transient" ? false : undefined,
      );
    }
    case "email.suppressed":
      return bounceOf(serverWords(textAt(data, "suppressed", "message")), true);
    case "email.failed":
      return {
        report: { kind: "failed" },
        words: serverWords(textAt(data, "failed", "reason")),
      };
    default:
      return null;
  }
}

/** https://resend.com/docs/dashboard/webhooks/event-types */
export const resendHook: ProviderHook = {
  label: "Resend",
  proves,
  reports: (json) => {
    const data = at(json, "data");
    const event = readEvent(textAt(json, "type"), data);
    const names = [idTag(at(data, "tags")), textAt(data, "email_id")];
    return event ? [{ ...event, names }] : [];
  },
};
