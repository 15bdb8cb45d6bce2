import { z } from "zod";
import { errorCodes } from "@/lib/ground/errors";
import { env } from "@/lib/ground/env/env";
import { httpStatuses } from "@/lib/doors/http/surface/errors";
import {
  buildDocument,
  exampleMessages,
  type OpenApiDocument,
} from "@/lib/doors/http/surface/openapi";
import { bearerOperations } from "./operations";
import { documentedEvents } from "./webhook-events";

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

const tagDescriptions: Record<string, string> = {
  Send: "Transactional email: one message, or up to 100 different ones at once.",
  Contacts: "People, their attributes and whether they want mail.",
  Segments: "Contacts selected by what is currently known about them.",
  Suppressions: "Addresses nothing is sent to.",
  Campaigns: "One message to all subscribed contacts, a segment or a list, and its results.",
  Forms: "Where people sign up by themselves: on a page of ours, or on yours.",
  Topics: "What you write about: campaigns carry a topic, and people leave topics one by one.",
  Templates: "Stored content, with its versions.",
  Emails: "The record of each email: its status, and what happened to it.",
  Domains: "Sending domains, and the state of the DNS records they need.",
  Sending: "Whether mail leaves, and what keeps it from leaving.",
  Connections: "Mail servers of your own that a project's mail leaves through.",
  Inbound: "Mail that came in at your domains, and where it goes.",
  Webhooks: "Your endpoints, which are told what happens.",
  Events: "What webhooks are told of, for those who ask instead.",
  "API keys": "Credentials for programs.",
};

let document: OpenApiDocument | undefined;

/** The surface's OpenAPI 3.1 document, generated from the operations. */
export function openApiDocument(): OpenApiDocument {
  return (document ??= buildDocument({
    operations: bearerOperations,
    events: documentedEvents,
    title: "Lettermill API",
    description:
      "Send email, manage contacts, run campaigns. Every path also works without `/v1`; a trailing slash is accepted.",
    server: env().APP_URL,
    securitySchemes: {
      bearer: {
        type: "http",
        scheme: "bearer",
        description: "An API key: `Authorization: Bearer sk_live_...`.",
      },
    },
    tagDescriptions,
    bodyTypes: ["application/json"],
    commonErrors: [
      "VALIDATION_ERROR",
      "MISSING_AUTH",
      "INVALID_API_KEY",
      "NOT_ALLOWED",
      "RATE_LIMIT_EXCEEDED",
      "UNAVAILABLE",
      "INTERNAL_ERROR",
    ],
    errorSchema,
    statusOf: httpStatuses,
    errorExample: (code) => ({
      success: false,
      error: { code, message: exampleMessages[code], statusCode: httpStatuses[code] },
      requestId: "req_8kQ1yB2mT7vXc0Zd",
    }),
  }));
}
