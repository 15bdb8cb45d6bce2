/** What can go wrong for a caller. Each door maps every code (HTTP envelope, platform, SMTP reply, tool error). */
export const errorCodes = [
  "VALIDATION_ERROR",
  "TOO_MANY_EMAILS",
  "MISSING_AUTH",
  "INVALID_API_KEY",
  "PAYMENT_REQUIRED",
  "NOT_ALLOWED",
  "DOMAIN_NOT_VERIFIED",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "CONFLICT",
  "CURSOR_EXPIRED",
  "PAYLOAD_TOO_LARGE",
  "RATE_LIMIT_EXCEEDED",
  "UNAVAILABLE",
  "INTERNAL_ERROR",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** What is wrong with one field; `path` as in the caller's input (`to[2].email`). */
export interface FieldError {
  path: string;
  message: string;
}

/** `["to", 2, "email"]` as a caller would write it: `to[2].email`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text ? `${text}.${String(part)}` : String(part);
  }, "");
}

/** An error whose message is meant for the caller. Any other error becomes INTERNAL_ERROR at the door. */
export class AppError extends Error {
  // Next bundles modules more than once, so instanceof is unreliable across chunks: isAppError reads this brand
  // instead.
  readonly isAppError = true;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: readonly FieldError[],
  ) {
    super(message);
    this.name = "AppError";
  }
}

export function isAppError(error: unknown): error is AppError {
  return typeof error === "object" && error !== null && (error as AppError).isAppError === true;
}

/** VALIDATION_ERROR for one field. */
export function invalid(path: string, message: string): AppError {
  return new AppError("VALIDATION_ERROR", path ? `${path}: ${message}` : message, [
    { path, message },
  ]);
}

/** The same answer for ids that are unknown, malformed, of another kind or of another project. */
export function notFound(): AppError {
  return new AppError("NOT_FOUND", "The resource does not exist.");
}

/** NOT_FOUND for an id in a body, naming its field; the same for all the ids that notFound() covers. */
export function noSuch(path: string, what: string): AppError {
  const message = `there is no such ${what} in this project`;
  return new AppError("NOT_FOUND", `${path}: ${message}`, [{ path, message }]);
}
