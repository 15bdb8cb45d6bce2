import { z } from "zod";
import { pageSchema } from "@/lib/ground/paging/schema";
import {
  getDelivery,
  listDeliveries,
  replayDeliveries,
  retryDelivery,
} from "@/lib/domain/webhooks/deliveries";
import {
  deliveryQuery,
  webhookDelivery,
  webhookDeliveryDetail,
  webhookReplayInput,
} from "@/lib/domain/webhooks/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const tag = "Webhooks";
const webhookId = "wh_01kat4rz8sfq3v6d1mpx3k6w9j";

const delivery = {
  id: "whd_01kat4rz8vf6b0x9mpd7q2w5ck",
  webhookId: webhookId,
  eventId: "evt_01kat4rz8wc3t5y2m8n0k4j7dz",
  event: "email.bounced",
  status: "DELIVERED",
  attempts: 1,
  responseStatus: 200,
  error: null,
  durationMilliseconds: 84,
  attemptedAt: "2026-11-21T09:31:00.000Z",
  nextAttemptAt: null,
  createdAt: "2026-11-21T09:31:00.000Z",
} as const;
/** A delivery with its request, as answers show it. */
export const deliveryExample = {
  ...delivery,
  request: {
    url: "https://example.com/hooks/mail",
    body: {
      type: "email.bounced",
      timestamp: "2026-11-21T09:31:00.000Z",
      data: {
        emailId: "em_01kat4rz8sfq3v6d1mpx3k6w9j",
        messageId: "em_01kat4rz8sfq3v6d1mpx3k6w9j@example.com",
        contact: { id: "con_01kat4rz8hfd2b7z1cm4x5n8qk", email: "ada@example.com" },
        campaignId: null,
        metadata: { order: "1815" },
        type: "hard",
        code: 550,
        response: "5.1.1 No such user",
      },
    },
  },
  responseBody: "ok",
  tries: [
    {
      at: "2026-11-21T09:31:00.000Z",
      responseStatus: 200,
      error: null,
      durationMilliseconds: 84,
    },
  ],
};

const ofOneWebhook = {
  tag,
  rate: "api",
  params: z.object({ id: idParam("webhook", webhookId) }),
  successStatuses: [200],
  errors: ["NOT_FOUND"],
} as const;
const ofOneDelivery = {
  tag,
  rate: "api",
  params: z.object({
    webhookId: idParam("webhook", webhookId),
    id: idParam("delivery", delivery.id),
  }),
  successStatuses: [200],
} as const;
export const webhookDeliveryOperations = [
  operation({
    ...ofOneWebhook,
    method: "get",
    path: "/v1/webhooks/{id}/deliveries",
    name: "listWebhookDeliveries",
    summary: "List a webhook's deliveries",
    description: "Newest first, as far back as the project keeps deliveries.",
    access: "viewer",
    query: deliveryQuery,
    answer: pageSchema(webhookDelivery).meta({ id: "WebhookDeliveryPage" }),
    answerExample: { data: [delivery] },
    run: async (ctx, { params: { id }, query }) => ({
      status: 200,
      body: await listDeliveries(ctx, id, query),
    }),
  }),
  operation({
    ...ofOneWebhook,
    method: "post",
    path: "/v1/webhooks/{id}/replay",
    name: "replayWebhookDeliveries",
    summary: "Deliver again from a time on",
    description:
      "Everything the webhook was told since then, or what of it has one status, whatever came of it: for an endpoint that lost what it was given. Each delivery keeps its `webhook-id`, so an endpoint that remembers those takes nothing twice. They are kept as long as the project says. 409 while the webhook is switched off.",
    access: "admin",
    body: webhookReplayInput,
    bodyExamples: {
      all: { summary: "All since a time", value: { since: "2026-11-21T08:00:00Z" } },
      failed: {
        summary: "What failed since then",
        value: { since: "2026-11-21T08:00:00Z", status: "FAILED" },
      },
    },
    answer: z.object({ replayed: z.int() }).meta({ id: "WebhookReplayed" }),
    answerExample: { replayed: 240 },
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await replayDeliveries(ctx, id, body),
    }),
  }),
  operation({
    ...ofOneDelivery,
    method: "get",
    path: "/v1/webhooks/{webhookId}/deliveries/{id}",
    aliases: ["/v1/webhooks/deliveries/{id}"],
    name: "getWebhookDelivery",
    summary: "Get a delivery",
    description: "With the request, the response, and each attempt.",
    access: "viewer",
    errors: ["NOT_FOUND"],
    answer: webhookDeliveryDetail,
    answerExample: deliveryExample,
    run: async (ctx, { params }) => ({ status: 200, body: await getDelivery(ctx, params) }),
  }),
  operation({
    ...ofOneDelivery,
    method: "post",
    path: "/v1/webhooks/{webhookId}/deliveries/{id}/retry",
    aliases: ["/v1/webhooks/deliveries/{id}/retry"],
    name: "retryWebhookDelivery",
    summary: "Retry a delivery",
    description: "Regardless of its outcome so far. 409 while the webhook is switched off.",
    access: "admin",
    errors: ["NOT_FOUND", "CONFLICT"],
    answer: webhookDelivery,
    answerExample: { ...delivery, status: "PENDING", nextAttemptAt: "2026-11-21T09:40:00.000Z" },
    run: async (ctx, { params }) => ({ status: 200, body: await retryDelivery(ctx, params) }),
  }),
] as const;
