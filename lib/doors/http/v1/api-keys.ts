import { z } from "zod";
import { createApiKey, deleteApiKey, listApiKeys } from "@/lib/domain/api-keys/api-keys";
import { apiKey, apiKeyCreate, apiKeyCreated, apiKeyQuery } from "@/lib/domain/api-keys/schema";
import { pageSchema } from "@/lib/ground/paging/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const tag = "API keys";
const example = {
  id: "key_01kat4rz8sfq3v6d1mpx3k6w9j",
  name: "Web shop",
  scope: "full",
  mode: "live",
  prefix: "sk_live_",
  last4: "9f3K",
  lastUsedAt: null,
  createdAt: "2026-11-21T09:30:00.000Z",
} as const;

export const apiKeyOperations = [
  operation({
    method: "post",
    path: "/v1/api-keys",
    name: "createApiKey",
    summary: "Create an API key",
    description: "The answer contains the key, which is not shown again.",
    tag,
    access: "admin",
    rate: "api",
    body: apiKeyCreate,
    bodyExamples: {
      full: { summary: "A key with full access", value: { name: "Web shop" } },
      sending: {
        summary: "A sending-only test key",
        value: { name: "Staging", scope: "sending", mode: "test" },
      },
    },
    answer: apiKeyCreated,
    answerExample: { ...example, key: "sk_live_(32 letters and digits)(6 of checksum)" },
    successStatuses: [201],
    run: async (ctx, { body }) => ({ status: 201, body: await createApiKey(ctx, body) }),
  }),
  operation({
    method: "get",
    path: "/v1/api-keys",
    name: "listApiKeys",
    summary: "List API keys",
    tag,
    access: "viewer",
    rate: "api",
    query: apiKeyQuery,
    answer: pageSchema(apiKey).meta({ id: "ApiKeyPage" }),
    answerExample: { data: [example] },
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await listApiKeys(ctx, query) }),
  }),
  operation({
    method: "delete",
    path: "/v1/api-keys/{id}",
    name: "deleteApiKey",
    summary: "Revoke an API key",
    description: "Every process refuses the key within a second.",
    tag,
    access: "admin",
    rate: "api",
    params: z.object({ id: idParam("API key", example.id) }),
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params }) => {
      await deleteApiKey(ctx, params.id);
      return { status: 204 };
    },
  }),
] as const;
