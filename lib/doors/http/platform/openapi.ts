import { env } from "@/lib/ground/env/env";
import {
  buildDocument,
  exampleMessages,
  type OpenApiDocument,
} from "@/lib/doors/http/surface/openapi";
import { errorAnswer, errorSchema, platformStatuses } from "./errors";
import { AppError } from "@/lib/ground/errors";
import { platformOperations } from "./operations";

const tagDescriptions: Record<string, string> = {
  Login: "A link into the dashboard for one use.",
  Lists: "Mailing lists, their sender, their fields.",
  Subscribers: "Members of lists: their fields, tags and state.",
  Campaigns: "What campaigns are, how they do; pausing one.",
  Files: "Pictures and other files for use in mail.",
  Notifications: "Reports on mail from a mail server of your own.",
};

let document: OpenApiDocument | undefined;

/** The surface's OpenAPI 3.1 document, generated from the operations. */
export function platformDocument(): OpenApiDocument {
  return (document ??= buildDocument({
    operations: platformOperations,
    title: "Lettermill platform API",
    description:
      "Lists, subscribers, campaigns, files, delivery reports and dashboard links for programs that pass a token in the query. Bodies may be JSON, forms, or parameters of the query.",
    server: `${env().APP_URL}/api/v1`,
    securitySchemes: {
      token: {
        type: "apiKey",
        in: "query",
        name: "api_token",
        description: "Your token in the project; the dashboard shows it under API keys.",
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
    errorExample: (code) =>
      errorAnswer(
        code === "VALIDATION_ERROR"
          ? new AppError(code, "EMAIL: is required", [{ path: "EMAIL", message: "is required" }])
          : new AppError(code, exampleMessages[code]),
      ).body,
  }));
}
