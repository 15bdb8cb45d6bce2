import { z } from "zod";
import { createApiKey, deleteApiKey, listApiKeys } from "@/lib/domain/api-keys/api-keys";
import { apiKeyCreate } from "@/lib/domain/api-keys/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { removed } from "./answers";
import { listOf, listQuery, pageAfter, toList } from "./lists";
import { refused } from "./terms";

const tag = "API keys";
const scopes = { full_access: "full", sending_access: "sending" } as const;

export const apiKeyOperations = [
  operation({
    method: "post",
    path: "/api-keys",
    name: "createApiKey",
    summary: "Create an API key",
    tag,
    access: "admin",
    rate: "api",
    body: z.strictObject({
      name: apiKeyCreate.shape.name,
      permission: z.enum(["full_access", "sending_access"]).default("full_access"),
      domain_id: refused("is not supported: a key may send from every domain of its project"),
    }),
    answer: z.object({ id: z.string(), token: z.string() }),
    successStatuses: [201],
    run: async (ctx, { body: { name, permission } }) => {
      const { id, key } = await createApiKey(ctx, { name, scope: scopes[permission] });
      return { status: 201, body: { id, token: key } };
    },
  }),
  operation({
    method: "get",
    path: "/api-keys",
    name: "listApiKeys",
    summary: "List API keys",
    tag,
    access: "viewer",
    rate: "api",
    query: listQuery,
    answer: listOf(
      z.object({
        id: z.string(),
        name: z.string(),
        created_at: z.string(),
        last_used_at: z.string().nullable(),
      }),
    ),
    successStatuses: [200],
    run: async (ctx, { query }) => {
      const page = await listApiKeys(ctx, pageAfter("apiKey", query));
      const body = toList(page, ({ id, name, createdAt, lastUsedAt }) => ({
        id,
        name,
        created_at: createdAt,
        last_used_at: lastUsedAt,
      }));
      return { status: 200, body };
    },
  }),
  operation({
    method: "delete",
    path: "/api-keys/{id}",
    name: "deleteApiKey",
    summary: "Revoke an API key",
    tag,
    access: "admin",
    rate: "api",
    params: z.object({ id: z.string() }),
    answer: z.object({ object: z.literal("api_key"), id: z.string(), deleted: z.literal(true) }),
    successStatuses: [200],
    run: async (ctx, { params: { id } }) => {
      await deleteApiKey(ctx, id);
      return removed("api_key", id);
    },
  }),
] as const;
