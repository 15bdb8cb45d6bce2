import { z } from "zod";
import { pageQuery, pageSchema } from "@/lib/paging/schema";
import { webhook, webhookInput, webhookUpdate, webhookWithSecret } from "@/lib/webhooks/schema";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from "@/lib/webhooks/webhooks";
import { operation } from "../operation";
import { idParam } from "./parameters";

const tag = "Webhooks";
const input = {
  url: "https://example.com/hooks/mail",
  events: ["email.delivered", "email.bounced"],
};
const example = {
  id: "wh_01kat4rz8sfq3v6d1mpx3k6w9j",
  ...input,
  enabled: true,
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
};
const withSecret = { ...example, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" };
const params = z.object({ id: idParam("webhook", example.id) });

const one = { tag, rate: "api", params, successStatuses: [200], errors: ["NOT_FOUND"] } as const;
const update = {
  ...one,
  summary: "Change a webhook",
  description: "Only the fields given change.",
  access: "admin",
  body: webhookUpdate,
  bodyExamples: { off: { summary: "Switch it off", value: { enabled: false } } },
  answer: webhook,
  answerExample: { ...example, enabled: false },
} as const;

export const webhookOperations = [
  operation({
    method: "post",
    path: "/v1/webhooks",
    name: "createWebhook",
    summary: "Create a webhook",
    description: "The signing secret stands in the answer and nowhere else: it is shown once.",
    tag,
    access: "admin",
    rate: "api",
    body: webhookInput,
    bodyExamples: { delivery: { summary: "What became of mail", value: input } },
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
    ...one,
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
    description: "The same as PATCH: only the fields given change.",
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await updateWebhook(ctx, id, body),
    }),
  }),
  operation({
    ...one,
    method: "post",
    path: "/v1/webhooks/{id}/rotate-secret",
    name: "rotateWebhookSecret",
    summary: "Replace a webhook's secret",
    description: "The new one is shown once, here; the old one stops signing at once.",
    access: "admin",
    answer: webhookWithSecret,
    answerExample: withSecret,
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      body: await rotateWebhookSecret(ctx, id),
    }),
  }),
  operation({
    ...one,
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
