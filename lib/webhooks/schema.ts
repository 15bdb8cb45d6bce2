import { z } from "zod";

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

const url = z
  .url({ protocol: /^https?$/, error: "is not an http or https address" })
  .max(2000)
  .refine(
    (text) => !URL.canParse(text) || !new URL(text).username,
    "must not carry a user name or password",
  )
  .meta({ example: "https://example.com/hooks/mail" });
const events = z
  .array(z.enum(["*", ...webhookEvents]))
  .min(1, "is empty")
  .max(50)
  .meta({
    description: "Event names, or `*` for all.",
    example: ["email.delivered", "email.bounced"],
  });

export const webhookInput = z
  .object({ url, events, enabled: z.boolean().optional().meta({ description: "Default true." }) })
  .meta({ id: "WebhookInput" });
export type WebhookInput = z.infer<typeof webhookInput>;

export const webhookUpdate = z
  .object({ url: url.optional(), events: events.optional(), enabled: z.boolean().optional() })
  .meta({ id: "WebhookUpdate", description: "Only the fields given change." });
export type WebhookUpdate = z.infer<typeof webhookUpdate>;

export const webhook = z
  .object({
    id: z.string().meta({ example: "wh_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    url: z.string(),
    events: z.array(z.string()),
    enabled: z.boolean(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof webhook>;

export const webhookWithSecret = webhook
  .extend({
    secret: z.string().meta({
      description: "Signs each delivery (Standard Webhooks). Shown once, here.",
      example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    }),
  })
  .meta({ id: "WebhookWithSecret" });
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;
