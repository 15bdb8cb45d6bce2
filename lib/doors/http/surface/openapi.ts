import { OpenAPIRegistry, OpenApiGeneratorV31 } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import type { ErrorCode } from "@/lib/ground/errors";
import type { AnyOperation } from "./operation";
import type { Answer } from "./policy";

/** What a document says about its surface, apart from the operations. */
export interface DocumentedSurface {
  operations: readonly AnyOperation[];
  title: string;
  description: string;
  /** What the paths are relative to. */
  server: string;
  /** Ways to authenticate, by name; one of them is enough. */
  securitySchemes: Record<string, Parameters<OpenAPIRegistry["registerComponent"]>[2]>;
  tagDescriptions: Record<string, string>;
  /** MIME types that bodies may have. */
  bodyTypes: readonly string[];
  /** Errors that any operation may return. */
  commonErrors: readonly ErrorCode[];
  errorSchema: z.ZodType;
  statusOf: Readonly<Record<ErrorCode, number>>;
  errorExample(code: ErrorCode): unknown;
  /** What the product calls of its own accord, by name: the document's webhooks. */
  events?: Record<string, { summary: string; body: z.ZodType; example: unknown }>;
  /** The answer to a body that broke off, where it differs from that to other faults of the input. */
  incompleteBody?: Answer;
}

const rateHeaders = {
  "X-Request-Id": {
    schema: { type: "string" as const },
    description: "Quote it when you ask for support.",
  },
  "X-RateLimit-Limit": {
    schema: { type: "integer" as const },
    description: "Requests allowed in the window.",
  },
  "X-RateLimit-Remaining": {
    schema: { type: "integer" as const },
    description: "Requests left in the window.",
  },
  "X-RateLimit-Reset": {
    schema: { type: "integer" as const },
    description: "Unix time when the window ends.",
  },
};

const idempotencyKey = z.string().min(1).max(256).optional().meta({
  description:
    "Kept for 24 hours: the same key with the same body returns the same answer again, with `Idempotent-Replayed: true`.",
  example: "order-4711",
});

const retryAfter = {
  "Retry-After": { schema: { type: "integer" as const }, description: "Seconds." },
};

function errorResponses(surface: DocumentedSurface, operation: AnyOperation) {
  const codes = [...surface.commonErrors, ...(operation.errors ?? [])];
  if (operation.body || operation.query) codes.push("VALIDATION_ERROR");
  if (operation.body) codes.push("PAYLOAD_TOO_LARGE");
  const examples: { summary: string; status: number; value: unknown }[] = [...new Set(codes)].map(
    (code) => ({
      summary: code,
      status: surface.statusOf[code],
      value: surface.errorExample(code),
    }),
  );
  if (operation.body && surface.incompleteBody) {
    const { status, body } = surface.incompleteBody;
    examples.push({ summary: "INCOMPLETE_BODY", status, value: body });
  }
  return Object.fromEntries(
    [...Map.groupBy(examples, ({ status }) => status)].map(([status, group]) => [
      status,
      {
        description: group.map(({ summary }) => summary).join(", "),
        headers: {
          // Limits are counted in the database.
          ...(status === 503 ? {} : rateHeaders),
          ...(status === 429 || status === 503 ? retryAfter : {}),
        },
        content: {
          "application/json": {
            schema: surface.errorSchema,
            examples: Object.fromEntries(
              group.map(({ summary, value }) => [summary, { summary, value }]),
            ),
          },
        },
      },
    ]),
  );
}

const statusTexts = { 200: "OK.", 201: "Created.", 202: "Accepted.", 204: "Done; no content." };

/** A file as the body itself or as the first file of a form. */
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

/** Only the first type gets examples. */
function bodyContent(types: readonly string[], { body, bodyExamples }: AnyOperation) {
  return Object.fromEntries(
    types.map((type, index) => [
      type,
      { schema: body, ...(bodyExamples && index === 0 ? { examples: bodyExamples } : {}) },
    ]),
  );
}

function register(
  registry: OpenAPIRegistry,
  surface: DocumentedSurface,
  operation: AnyOperation,
): void {
  registry.registerPath({
    method: operation.method,
    path: operation.path,
    operationId: operation.name,
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    tags: [operation.tag],
    security: Object.keys(surface.securitySchemes).map((name) => ({ [name]: [] })),
    request: {
      ...(operation.params ? { params: operation.params as z.ZodObject } : {}),
      ...(operation.query ? { query: operation.query as z.ZodObject } : {}),
      ...(operation.idempotent ? { headers: z.object({ "Idempotency-Key": idempotencyKey }) } : {}),
      ...(operation.body
        ? {
            body: {
              required: operation.bodyOptional !== true,
              content: bodyContent(surface.bodyTypes, operation),
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
      ...errorResponses(surface, operation),
    },
  });
}

function registerEvent(
  registry: OpenAPIRegistry,
  name: string,
  { summary, body, example }: NonNullable<DocumentedSurface["events"]>[string],
): void {
  registry.registerWebhook({
    method: "post",
    path: name,
    operationId: name,
    summary,
    // Proven by its signature.
    security: [],
    request: {
      headers: webhookHeaders,
      body: { required: true, content: { "application/json": { schema: body, example } } },
    },
    responses: { "2XX": { description: "Taken. Anything else is called again." } },
  });
}

/** The headers of Standard Webhooks. */
const webhookHeaders = z.object({
  "webhook-id": z.string().meta({ description: "The same for each attempt." }),
  "webhook-timestamp": z.string().meta({ description: "Unix time in seconds." }),
  "webhook-signature": z.string().meta({ description: "`v1,` and the Base64 of HMAC-SHA256." }),
});

/** An example message for each error, the same on every surface. */
export const exampleMessages: Record<ErrorCode, string> = {
  VALIDATION_ERROR: "to[0]: is not an email address",
  TOO_MANY_EMAILS: "A batch holds at most 100 emails; this one has 101.",
  MISSING_AUTH: "The Authorization header is missing. Send `Authorization: Bearer sk_live_...`.",
  INVALID_API_KEY: "The API key is unknown or was revoked.",
  PAYMENT_REQUIRED: "The project's limit of 10000 emails a month is reached.",
  NOT_ALLOWED: "This API key may only send email.",
  DOMAIN_NOT_VERIFIED: "The sender domain example.com is not verified in this project.",
  NOT_FOUND: "The resource does not exist.",
  METHOD_NOT_ALLOWED: "/v1/send does not take GET. Allowed: POST.",
  CONFLICT: "The resource already exists.",
  CURSOR_EXPIRED:
    "Events are kept for 30 days: some that followed this cursor are gone. The oldest cursor is WyI4MTUiLCIwMDAwMDAwMC0wMDAwLTAwMDAtMDAwMC0wMDAwMDAwMDAwMDAiXQ",
  PAYLOAD_TOO_LARGE: "The request is larger than 40 MB (41943040 bytes).",
  RATE_LIMIT_EXCEEDED: "Too many requests. Try again in 7 seconds.",
  UNAVAILABLE: "The database cannot be reached at the moment. Try again in 5 seconds.",
  INTERNAL_ERROR: "Something went wrong on our side. Request: req_8kQ1yB2mT7vXc0Zd.",
};

/** A surface's OpenAPI 3.1 document, generated from its operations. */
export function buildDocument(surface: DocumentedSurface) {
  const registry = new OpenAPIRegistry();
  for (const [name, scheme] of Object.entries(surface.securitySchemes)) {
    registry.registerComponent("securitySchemes", name, scheme);
  }
  const documented = surface.operations.filter((operation) => !operation.sessionOnly);
  for (const operation of documented) register(registry, surface, operation);
  for (const [name, event] of Object.entries(surface.events ?? {})) {
    registerEvent(registry, name, event);
  }
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: "3.1.0",
    info: {
      title: surface.title,
      version: "1",
      description: surface.description,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: surface.server }],
    tags: [...new Set(documented.map((operation) => operation.tag))].map((name) => ({
      name,
      ...(surface.tagDescriptions[name] ? { description: surface.tagDescriptions[name] } : {}),
    })),
  });
}

export type OpenApiDocument = ReturnType<typeof buildDocument>;
