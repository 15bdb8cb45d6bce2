import { z } from "zod";
import { pageQuery, pageSchema } from "@/lib/ground/paging/schema";
import {
  webhook,
  webhookDeliveryDetail,
  webhookInput,
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
import { deliveryExample } from "./webhook-deliveries";

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

const ofOneWebhook = {
  tag,
  rate: "api",
  params,
  successStatuses: [200],
  errors: ["NOT_FOUND"],
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
    description:
      "The answer contains the signing secret, which is not shown again. A project has at most 500 webhooks.",
    tag,
    access: "admin",
    rate: "api",
    body: webhookInput,
    bodyExamples: { delivery: { summary: "Delivery and bounces", value: input } },
    answer: webhookWithSecret,
    answerExample: withSecret,
    successStatuses: [201],
    errors: ["CONFLICT"],
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
    answerExample: deliveryExample,
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await testWebhook(ctx, id, body),
    }),
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
