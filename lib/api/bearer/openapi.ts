import { OpenAPIRegistry, OpenApiGeneratorV31 } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { errorCodes, type ErrorCode } from "@/lib/errors";
import { env } from "@/lib/env";
import { httpStatuses } from "../errors";
import type { AnyOperation } from "../operation";
import { bearerOperations } from "./operations";

/** Errors every operation can answer with. */
const commonErrors: readonly ErrorCode[] = [
  "MISSING_AUTH",
  "INVALID_API_KEY",
  "NOT_ALLOWED",
  "RATE_LIMIT_EXCEEDED",
  "INTERNAL_ERROR",
];

const errorSchema = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.enum(errorCodes),
      message: z.string(),
      statusCode: z.int(),
      details: z
        .array(z.object({ path: z.string(), message: z.string() }))
        .optional()
        .meta({ description: "One entry per fault of a VALIDATION_ERROR." }),
    }),
    requestId: z.string().meta({ description: "Also in the header X-Request-Id." }),
  })
  .meta({ id: "Error" });

const rateHeaders = {
  "X-Request-Id": { schema: { type: "string" as const }, description: "Name it when you ask us." },
  "X-RateLimit-Limit": { schema: { type: "integer" as const }, description: "Most in the window." },
  "X-RateLimit-Remaining": { schema: { type: "integer" as const }, description: "What is left." },
  "X-RateLimit-Reset": {
    schema: { type: "integer" as const },
    description: "Unix time at which the window ends.",
  },
};

const idempotencyKey = z.string().min(1).max(256).optional().meta({
  description:
    "Kept 24 hours: the same key and body give the same answer again, with `Idempotent-Replayed: true`.",
  example: "order-4711",
});

function errorResponses(operation: AnyOperation) {
  const codes = [...commonErrors, ...(operation.errors ?? [])];
  if (operation.body || operation.query) codes.push("VALIDATION_ERROR");
  if (operation.body) codes.push("PAYLOAD_TOO_LARGE");
  const byStatus = Map.groupBy(new Set(codes), (code) => httpStatuses[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.join(", "),
        headers:
          status === 429
            ? {
                ...rateHeaders,
                "Retry-After": { schema: { type: "integer" as const }, description: "Seconds." },
              }
            : rateHeaders,
        content: {
          "application/json": {
            schema: errorSchema,
            examples: Object.fromEntries(
              group.map((code) => [
                code,
                {
                  summary: code,
                  value: {
                    success: false,
                    error: { code, message: exampleMessages[code], statusCode: status },
                    requestId: "req_8kQ1yB2mT7vXc0Zd",
                  },
                },
              ]),
            ),
          },
        },
      },
    ]),
  );
}

const exampleMessages: Record<ErrorCode, string> = {
  VALIDATION_ERROR: "to[0]: is not an email address",
  TOO_MANY_EMAILS: "A batch holds at most 100 emails; this one has 101.",
  MISSING_AUTH: "The Authorization header is missing. Send `Authorization: Bearer sk_live_...`.",
  INVALID_API_KEY: "The API key is not known or was revoked.",
  PAYMENT_REQUIRED: "The project's limit of 10000 emails a month is reached.",
  NOT_ALLOWED: "This API key may only send email.",
  DOMAIN_NOT_VERIFIED: "The sender domain example.com is not verified in this project.",
  NOT_FOUND: "The resource does not exist.",
  METHOD_NOT_ALLOWED: "/v1/send does not take GET. Allowed: POST.",
  CONFLICT: "The resource exists already.",
  PAYLOAD_TOO_LARGE: "The request is larger than 40 MB (41943040 bytes).",
  RATE_LIMIT_EXCEEDED: "Too many requests. Try again in 7 seconds.",
  INTERNAL_ERROR: "Something went wrong on our side. Request: req_8kQ1yB2mT7vXc0Zd.",
};

const statusTexts = { 200: "Done.", 201: "Made.", 202: "Accepted.", 204: "Done; no content." };

/** A file as the body itself, or as the first file of a form. */
function uploadBody(types: readonly string[]) {
  const file = z.string().meta({ format: "binary" });
  return {
    required: true,
    content: {
      ...Object.fromEntries(types.map((type) => [type, { schema: file }])),
      "multipart/form-data": { schema: z.object({ file }) },
    },
  };
}

function register(registry: OpenAPIRegistry, operation: AnyOperation): void {
  registry.registerPath({
    method: operation.method,
    path: operation.path,
    operationId: operation.name,
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    tags: [operation.tag],
    security: [{ bearer: [] }],
    request: {
      ...(operation.params ? { params: operation.params as z.ZodObject } : {}),
      ...(operation.query ? { query: operation.query as z.ZodObject } : {}),
      ...(operation.idempotent ? { headers: z.object({ "Idempotency-Key": idempotencyKey }) } : {}),
      ...(operation.body
        ? {
            body: {
              required: true,
              content: {
                "application/json": {
                  schema: operation.body,
                  ...(operation.bodyExamples ? { examples: operation.bodyExamples } : {}),
                },
              },
            },
          }
        : {}),
      ...(operation.upload ? { body: uploadBody(operation.upload) } : {}),
    },
    responses: {
      ...Object.fromEntries(
        operation.successStatuses.map((status) => [
          status,
          {
            description: statusTexts[status],
            headers: rateHeaders,
            ...(operation.answerType
              ? { content: { [operation.answerType]: { schema: z.string() } } }
              : {}),
            ...(operation.answer && status !== 204
              ? {
                  content: {
                    "application/json": {
                      schema: operation.answer,
                      ...(operation.answerExample ? { example: operation.answerExample } : {}),
                    },
                  },
                }
              : {}),
          },
        ]),
      ),
      ...errorResponses(operation),
    },
  });
}

const tagDescriptions: Record<string, string> = {
  Send: "Transactional email: one message, or up to 100 different ones at once.",
  Contacts: "People, their attributes and whether they want mail.",
  Segments: "Contacts chosen by what is known of them, as of the moment.",
  Templates: "Content that is kept, with its versions.",
  Emails: "The record of each email: where it stands, and what happened to it.",
  Domains: "Sending domains, the DNS records they need, and whether these are there.",
  Webhooks: "Your addresses that hear what happens.",
  "API keys": "Credentials of programs.",
};

function build() {
  const registry = new OpenAPIRegistry();
  registry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description: "An API key: `Authorization: Bearer sk_live_...`.",
  });
  const visible = (bearerOperations as readonly AnyOperation[]).filter((one) => !one.sessionOnly);
  for (const operation of visible) register(registry, operation);
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: "3.1.0",
    info: {
      title: "Lettermill API",
      version: "1",
      description:
        "Send email, keep contacts, run campaigns. Every path also answers without `/v1`; a trailing slash is accepted.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: env().APP_URL }],
    tags: [...new Set(visible.map((one) => one.tag))].map((name) => ({
      name,
      ...(tagDescriptions[name] ? { description: tagDescriptions[name] } : {}),
    })),
  });
}

let document: ReturnType<typeof build> | undefined;

/** The surface's OpenAPI 3.1 document, generated from the operations. */
export function openApiDocument() {
  return (document ??= build());
}
