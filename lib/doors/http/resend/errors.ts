import { isKeyConflict } from "@/lib/domain/emails/idempotency";
import type { AppError, ErrorCode } from "@/lib/ground/errors";
import type { Answer } from "@/lib/doors/http/surface/policy";

type Kind = readonly [status: number, name: string];

/** Status and name as Resend documents them; where it has none of its own, the nearest. */
const kinds = {
  VALIDATION_ERROR: [422, "validation_error"],
  TOO_MANY_EMAILS: [422, "validation_error"],
  MISSING_AUTH: [401, "missing_api_key"],
  INVALID_API_KEY: [403, "invalid_api_key"],
  PAYMENT_REQUIRED: [429, "monthly_quota_exceeded"],
  NOT_ALLOWED: [401, "restricted_api_key"],
  DOMAIN_NOT_VERIFIED: [403, "validation_error"],
  NOT_FOUND: [404, "not_found"],
  METHOD_NOT_ALLOWED: [405, "method_not_allowed"],
  CONFLICT: [409, "validation_error"],
  CURSOR_EXPIRED: [422, "validation_error"],
  PAYLOAD_TOO_LARGE: [413, "validation_error"],
  RATE_LIMIT_EXCEEDED: [429, "rate_limit_exceeded"],
  INTERNAL_ERROR: [500, "internal_server_error"],
  UNAVAILABLE: [503, "application_error"],
} as const satisfies Record<ErrorCode, Kind>;

/** Fields whose faults have names of their own. */
const fieldKinds: Record<string, Kind> = {
  "Idempotency-Key": [400, "invalid_idempotency_key"],
  attachments: [422, "invalid_attachment"],
  from: [422, "invalid_from_address"],
};

function kindOf(error: AppError): Kind {
  if (isKeyConflict(error)) {
    return [409, error.running ? "concurrent_idempotent_requests" : "invalid_idempotent_request"];
  }
  if (error.code !== "VALIDATION_ERROR") return kinds[error.code];
  const [first] = error.details ?? [];
  // Nothing was wrong with a field: the body itself could not be read.
  if (!first) return [400, "validation_error"];
  const [field = ""] = first.path.replace(/^\[\d+\]\./, "").split(/[[.]/, 1);
  if (first.message.startsWith("is required")) return [422, "missing_required_field"];
  return fieldKinds[field] ?? kinds.VALIDATION_ERROR;
}

/** An error in Resend's envelope: `{statusCode, name, message}`. */
export function errorAnswer(error: AppError): Answer {
  const [statusCode, name] = kindOf(error);
  return { status: statusCode, body: { statusCode, name, message: error.message } };
}
