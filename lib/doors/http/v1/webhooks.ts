import { z } from "zod";
import { pageQuery, pageSchema } from "@/lib/ground/paging/schema";
import {
  getDelivery,
  listDeliveries,
  replayDeliveries,
  retryDelivery,
} from "@/lib/domain/webhooks/deliveries";
import {
  deliveryQuery,
  webhook,
  webhookDelivery,
  webhookDeliveryDetail,
  webhookInput,
  webhookReplayInput,
  webhookTestInput,
  webhookUpdate,
  webhookWithSecret,
} from "@/lib/domain/webhooks/schema";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from "@/lib/domain/webhooks/webhooks";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";
import { testWebhook } from "@/lib/engine/webhooks/test-call";

const tag = "Webhooks";
const input = {
  url: "https://example.com/hooks/mail",
  events: ["email.delivered", "email.bounced"],
};
const example = {
  id: "wh_01kat4rz8sfq3v6d1mpx3k6w9j",
  ...input,
  enabled: true,
  failingSince: null,
  disabledReason: null,
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
};
const withSecret = { ...example, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" };
const params = z.object({ id: idParam("webhook", example.id) });

const delivery = {
  id: "whd_01kat4rz8vf6b0x9mpd7q2w5ck",
  webhookId: example.id,
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
const detail = {
  ...delivery,
  request: {
    url: input.url,
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
  params,
  successStatuses: [200],
  errors: ["NOT_FOUND"],
} as const;
const ofOneDelivery = {
  tag,
  rate: "api",
  params: z.object({
    webhookId: idParam("webhook", example.id),
    id: idParam("delivery", delivery.id),
  }),
  successStatuses: [200],
} as const;
const update = {
  ...ofOneWebhook,
  summary: "Change a webhook",
  description: "Only the given fields change.",
  access: "admin",
  body: webhookUpdate,
  bodyExamples: { off: { summary: "Switch it off", value: { enabled: false } } },
  answer: webhook,
  answerExample: { ...example, enabled: false },
  errors: ["NOT_FOUND", "CONFLICT"],
} as const;

export const webhookOperations = [
  operation({
    method: "post",
    path: "/v1/webhooks",
    name: "createWebhook",
    summary: "Create a webhook",
    description: "The answer contains the signing secret, which is not shown again.",
    tag,
    access: "admin",
    rate: "api",
    body: webhookInput,
    bodyExamples: { delivery: { summary: "Delivery and bounces", value: input } },
    answer: webhookWithSecret,
    answerExample: withSecret,
    successStatuses: [201],
    run: async (ctx, { body }) => ({ status: 201, body: await createWebhook(ctx, body) }),
  }),
  operation({
    method: "get",
    path: "/v1/webhooks",
    name: "listWebhooks",
    summary: "List webhooks",
    tag,
    access: "viewer",
    rate: "api",
    query: pageQuery,
    answer: pageSchema(webhook).meta({ id: "WebhookPage" }),
    answerExample: { data: [example] },
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await listWebhooks(ctx, query) }),
  }),
  operation({
    ...ofOneWebhook,
    method: "get",
    path: "/v1/webhooks/{id}",
    name: "getWebhook",
    summary: "Get a webhook",
    access: "viewer",
    answer: webhook,
    answerExample: example,
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await getWebhook(ctx, id) }),
  }),
  operation({
    ...update,
    method: "patch",
    path: "/v1/webhooks/{id}",
    name: "updateWebhook",
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await updateWebhook(ctx, id, body),
    }),
  }),
  operation({
    ...update,
    method: "put",
    path: "/v1/webhooks/{id}",
    name: "putWebhook",
    description: "The same as PATCH: only the given fields change.",
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await updateWebhook(ctx, id, body),
    }),
  }),
  operation({
    ...ofOneWebhook,
    method: "post",
    path: "/v1/webhooks/{id}/rotate-secret",
    name: "rotateWebhookSecret",
    summary: "Replace a webhook's secret",
    description:
      "The answer contains the new secret, which is not shown again; the old one stops signing immediately.",
    access: "admin",
    answer: webhookWithSecret,
    answerExample: withSecret,
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      body: await rotateWebhookSecret(ctx, id),
    }),
  }),
  operation({
    ...ofOneWebhook,
    method: "post",
    path: "/v1/webhooks/{id}/test",
    name: "testWebhook",
    summary: "Send a test event",
    description:
      "Calls the webhook once, at once, with a made-up event, even if it is switched off, and returns the response. The event's data has `test: true`.",
    access: "admin",
    body: webhookTestInput,
    bodyOptional: true,
    bodyExamples: { bounce: { summary: "A bounce", value: { event: "email.bounced" } } },
    answer: webhookDeliveryDetail,
    answerExample: detail,
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await testWebhook(ctx, id, body),
    }),
  }),
  operation({
    ...ofOneWebhook,
    method: "get",
    path: "/v1/webhooks/{id}/deliveries",
    name: "listWebhookDeliveries",
    summary: "List a webhook's deliveries",
    description: "Newest first; deliveries are kept for 30 days.",
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
      "Everything the webhook was told since then, or what of it has one status, whatever came of it: for an endpoint that lost what it was given. Each delivery keeps its `webhook-id`, so an endpoint that remembers those takes nothing twice. Deliveries are kept for 30 days. 409 while the webhook is switched off.",
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
    answerExample: detail,
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
  operation({
    ...ofOneWebhook,
    method: "delete",
    path: "/v1/webhooks/{id}",
    name: "deleteWebhook",
    summary: "Delete a webhook",
    access: "admin",
    successStatuses: [204],
    run: async (ctx, { params: { id } }) => {
      await deleteWebhook(ctx, id);
      return { status: 204 };
    },
  }),
] as const;
