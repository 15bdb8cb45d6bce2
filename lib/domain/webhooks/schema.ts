import { z } from "zod";
import { instant } from "@/lib/ground/time-schema";
import { webhookDeliveryStatuses } from "@/db/enums";
import { webhookEvents } from "@/lib/ground/events/names";
import { pageQuery } from "@/lib/ground/paging/schema";
import { basedOn } from "@/lib/ground/updates/schema";

const url = z
  .url({ protocol: /^https?$/, error: "is not an http or https address" })
  .max(2000)
  .refine(
    (text) => !URL.canParse(text) || new URL(text).username + new URL(text).password === "",
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
  .strictObject({
    url,
    events,
    enabled: z.boolean().optional().meta({ description: "Default true." }),
  })
  .meta({ id: "WebhookInput" });
export type WebhookInput = z.infer<typeof webhookInput>;

export const webhookUpdate = z
  .strictObject({
    url: url.optional(),
    events: events.optional(),
    enabled: z.boolean().optional(),
    basedOn,
  })
  .meta({ id: "WebhookUpdate", description: "Only the given fields change." });
export type WebhookUpdate = z.infer<typeof webhookUpdate>;

export const webhook = z
  .object({
    id: z.string().meta({ example: "wh_01kat4rz8sfq3v6d1mpx3k6w9j" }),
    url: z.string(),
    events: z.array(z.string()),
    enabled: z.boolean(),
    failingSince: z.iso.datetime().nullable().meta({
      description: "Since when every delivery has failed; after five days it is switched off.",
    }),
    disabledReason: z.string().nullable().meta({
      description: "Why Lettermill switched it off; null: a person did, or nobody.",
    }),
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

export const webhookTestInput = z
  .strictObject({
    event: z
      .enum(webhookEvents)
      .optional()
      .meta({ description: "Default: the first the webhook subscribes to." }),
  })
  .meta({ id: "WebhookTestInput" });
export type WebhookTestInput = z.infer<typeof webhookTestInput>;

export const deliveryQuery = pageQuery.extend({
  status: z.enum(webhookDeliveryStatuses).optional(),
});
export type DeliveryQuery = z.infer<typeof deliveryQuery>;

export const webhookReplayInput = z
  .strictObject({
    since: instant.meta({ example: "2026-11-21T08:00:00Z" }),
    status: z
      .enum(webhookDeliveryStatuses)
      .optional()
      .meta({ description: "Only deliveries with this status; default: all of them." }),
  })
  .meta({ id: "WebhookReplay" });
export type WebhookReplayInput = z.infer<typeof webhookReplayInput>;

const tried = {
  responseStatus: z
    .int()
    .nullable()
    .meta({ description: "HTTP status; null: there was no answer." }),
  error: z.string().nullable().meta({ description: "Why there was no answer." }),
  durationMilliseconds: z.int().nullable(),
};

export const webhookDelivery = z
  .object({
    id: z.string().meta({ example: "whd_01kat4rz8vf6b0x9mpd7q2w5ck" }),
    webhookId: z.string(),
    eventId: z.string().meta({ description: "The header webhook-id: the same for each attempt." }),
    event: z.string().meta({ example: "email.delivered" }),
    status: z.enum(webhookDeliveryStatuses),
    attempts: z.int(),
    ...tried,
    attemptedAt: z.iso.datetime().nullable(),
    nextAttemptAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

export const webhookDeliveryDetail = webhookDelivery
  .extend({
    request: z
      .object({
        url: z.string(),
        body: z.object({
          type: z.string(),
          timestamp: z.iso.datetime(),
          data: z.record(z.string(), z.unknown()),
        }),
      })
      .meta({ description: "What is sent; the signature's headers are new for each attempt." }),
    responseBody: z.string().nullable().meta({ description: "The beginning of the last answer." }),
    tries: z
      .array(z.object({ at: z.iso.datetime(), ...tried }))
      .meta({ description: "Oldest first." }),
  })
  .meta({ id: "WebhookDeliveryDetail" });
export type WebhookDeliveryDetail = z.infer<typeof webhookDeliveryDetail>;
