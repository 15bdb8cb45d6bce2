import type { AppError, ErrorCode } from "@/lib/ground/errors";
import { retrySeconds } from "@/lib/ground/unforeseen-errors";
import type { Answer } from "./policy";

/** The HTTP status of every error code; a missing one does not compile. */
export const httpStatuses = {
  VALIDATION_ERROR: 400,
  TOO_MANY_EMAILS: 400,
  MISSING_AUTH: 401,
  INVALID_API_KEY: 401,
  PAYMENT_REQUIRED: 402,
  NOT_ALLOWED: 403,
  DOMAIN_NOT_VERIFIED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  CURSOR_EXPIRED: 410,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>;

/** The headers that tell a caller what to do about an error, whatever the envelope. */
export function adviceHeaders(error: AppError): Record<string, string> {
  return error.code === "UNAVAILABLE" ? { "retry-after": String(retrySeconds) } : {};
}

/** An error of something that is not a surface's operation, in the bearer surface's envelope. */
export function errorResponse(
  error: AppError,
  requestId: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json(errorEnvelope(error, requestId), {
    status: httpStatuses[error.code],
    headers: {
      ...{ "cache-control": "no-store", "x-request-id": requestId },
      ...adviceHeaders(error),
      ...headers,
    },
  });
}

/** The bearer surface's error envelope. */
export function errorEnvelope(error: AppError, requestId: string) {
  return {
    success: false as const,
    error: {
      code: error.code,
      message: error.message,
      statusCode: httpStatuses[error.code],
      ...(error.details ? { details: error.details } : {}),
    },
    requestId,
  };
}

/** How the bearer surface, and whatever speaks like it, reports an error. */
export function envelopeAnswer(error: AppError, requestId: string): Answer {
  return { status: httpStatuses[error.code], body: errorEnvelope(error, requestId) };
}
