import { env } from "@/lib/ground/env/env";
import {
  buildDocument,
  exampleMessages,
  type OpenApiDocument,
} from "@/lib/doors/http/surface/openapi";
import { IncompleteBody } from "@/lib/doors/http/surface/incomplete";
import { errorAnswer, errorSchema, platformStatuses } from "./errors";
import { AppError } from "@/lib/ground/errors";
import { platformOperations } from "./operations";

const tagDescriptions: Record<string, string> = {
  Login: "A one-time link into the dashboard.",
  Lists: "Mailing lists, their sender, their fields.",
  Subscribers: "Members of lists: their fields, tags and status.",
  Campaigns: "Campaigns and their figures; pausing and resuming.",
  Files: "Images and other files for use in mail.",
  Notifications: "Delivery reports from a mail server of your own.",
};

let document: OpenApiDocument | undefined;

/** The surface's OpenAPI 3.1 document, generated from the operations. */
export function platformDocument(): OpenApiDocument {
  return (document ??= buildDocument({
    operations: platformOperations,
    title: "Lettermill platform API",
    description:
      "Lists, subscribers, campaigns, files, delivery reports and dashboard links for programs that pass a token in the query string. Bodies may be JSON, forms or query parameters.",
    server: `${env().APP_URL}/api/v1`,
    securitySchemes: {
      token: {
        type: "apiKey",
        in: "query",
        name: "api_token",
        description: "Your token for the project; the dashboard shows it under API keys.",
      },
      bearer: {
        type: "http",
        scheme: "bearer",
        description: "The same token: `Authorization: Bearer ...`.",
      },
    },
    tagDescriptions,
    bodyTypes: ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"],
    commonErrors: [
      "MISSING_AUTH",
      "INVALID_API_KEY",
      "NOT_ALLOWED",
      "RATE_LIMIT_EXCEEDED",
      "UNAVAILABLE",
      "INTERNAL_ERROR",
    ],
    errorSchema,
    statusOf: platformStatuses,
    incompleteBody: errorAnswer(new IncompleteBody()),
    errorExample: (code) =>
      errorAnswer(
        code === "VALIDATION_ERROR"
          ? new AppError(code, "EMAIL: is required", [{ path: "EMAIL", message: "is required" }])
          : new AppError(code, exampleMessages[code]),
      ).body,
  }));
}
