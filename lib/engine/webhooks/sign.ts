import { createHmac } from "node:crypto";

/**
 * The three headers of Standard Webhooks (symmetric): HMAC-SHA-256 over id, time and body under the
 * bytes of the secret, `whsec_` and Base64.
 */
export function signatureHeaders(input: {
  id: string;
  /** Unix time in seconds, of this try. */
  timestamp: number;
  body: string;
  secret: string;
}): Record<string, string> {
  const key = Buffer.from(input.secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key)
    .update(`${input.id}.${input.timestamp}.${input.body}`)
    .digest("base64");
  return {
    "webhook-id": input.id,
    "webhook-timestamp": String(input.timestamp),
    "webhook-signature": `v1,${signature}`,
  };
}
