import { Webhook } from "standardwebhooks";
import type { webhooks } from "./schema.js";

type Body<Operation> = Operation extends {
  requestBody?: { content: { "application/json": infer Json } };
}
  ? Json
  : never;

/** Each event a webhook can get, told apart by `type`. */
export type WebhookEvent = {
  [Name in keyof webhooks]: Body<webhooks[Name]["post"]>;
}[keyof webhooks];

/**
 * The event of a genuine request. `body`: as it came, before anything parsed it; `secret`: the webhook's,
 * `whsec_...`. Throws for a signature that is wrong or older than five minutes.
 */
export function verifyWebhook(
  secret: string,
  body: string,
  headers: Headers | Record<string, string | string[] | undefined>,
): WebhookEvent {
  const read = (name: string) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    return typeof value === "string" ? value : "";
  };
  return new Webhook(secret).verify(body, {
    "webhook-id": read("webhook-id"),
    "webhook-timestamp": read("webhook-timestamp"),
    "webhook-signature": read("webhook-signature"),
  }) as WebhookEvent;
}
