import type { AppError, ErrorCode } from "@/lib/ground/errors";
import { newRequestId } from "@/lib/ground/ids/request-id";
import { toAppError } from "@/lib/ground/unforeseen-errors";

/** A reply to one command: its code, and its text, which starts with the enhanced code (RFC 3463). */
export interface Reply {
  code: number;
  text: string;
}

/** The reply for every error code; a missing one does not compile. Clients try again after a 4xx. */
const replies = {
  VALIDATION_ERROR: [554, "5.6.0"],
  TOO_MANY_EMAILS: [452, "4.5.3"],
  MISSING_AUTH: [530, "5.7.0"],
  INVALID_API_KEY: [535, "5.7.8"],
  // It will go through next month or with a higher limit: meanwhile no mail is lost.
  PAYMENT_REQUIRED: [451, "4.7.1"],
  NOT_ALLOWED: [550, "5.7.1"],
  DOMAIN_NOT_VERIFIED: [550, "5.7.1"],
  NOT_FOUND: [554, "5.6.0"],
  METHOD_NOT_ALLOWED: [502, "5.5.1"],
  // The first one is still running, or a day has to pass.
  CONFLICT: [451, "4.3.0"],
  CURSOR_EXPIRED: [554, "5.3.0"],
  PAYLOAD_TOO_LARGE: [552, "5.3.4"],
  RATE_LIMIT_EXCEEDED: [451, "4.7.1"],
  UNAVAILABLE: [452, "4.3.1"],
  INTERNAL_ERROR: [451, "4.3.0"],
} as const satisfies Record<ErrorCode, readonly [code: number, enhanced: string]>;

/** A reply line holds at most 512 octets (RFC 5321, section 4.5.3.1.5), all of them ASCII. */
const longestText = 480;

/** What a client is told about an error. */
function replyOf(error: AppError): Reply {
  const [code, enhanced] = replies[error.code];
  const text = `${enhanced} ${error.message}`.replace(/[^\x20-\x7e]+/g, "?").slice(0, longestText);
  return { code, text };
}

/** A reply as the error that smtp-server expects; `code` 421 ends the session. */
export class ReplyError extends Error {
  readonly responseCode: number;

  constructor({ code, text }: Reply) {
    super(text);
    this.name = "ReplyError";
    this.responseCode = code;
  }
}

/** Turns any error into a reply. */
export function refusal(error: unknown): ReplyError {
  return error instanceof ReplyError
    ? error
    : new ReplyError(replyOf(toAppError(error, newRequestId())));
}

/** The text of the final 250, ten ids a line; each line becomes a line of the reply. */
export function acceptedText(ids: readonly string[]): string {
  const lines: string[] = [];
  for (let start = 0; start < ids.length; start += 10) {
    lines.push(`2.6.0 Accepted ${ids.slice(start, start + 10).join(" ")}`);
  }
  return lines.join("\n");
}
