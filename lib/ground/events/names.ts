/** What a webhook can subscribe to; `*` is all of it. */
export const webhookEvents = [
  "email.sent",
  "email.deferred",
  "email.delivered",
  "email.opened",
  "email.clicked",
  "email.bounced",
  "email.complained",
  "email.failed",
  "email.received",
  "contact.created",
  "contact.updated",
  "contact.deleted",
  "contact.subscribed",
  "contact.unsubscribed",
  "import.completed",
  "campaign.started",
  "campaign.sent",
  "campaign.paused",
  "campaign.failed",
  "domain.verified",
  "domain.failed",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** What events are about: the part of the name before the dot. */
export type EventSubject = WebhookEvent extends `${infer Subject}.${string}` ? Subject : never;
