import { randomUUID } from "node:crypto";

/** The id of one request or command: on the answer, in the log, and in the message of an INTERNAL_ERROR. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll("-", "")}`;
}

/** Without dots and @, which addresses have; no shorter than what the product calls its own work ("system"). */
const wellFormed = /^[A-Za-z0-9_-]{8,64}$/;
/** How keys and tokens of ours look: by their beginning, or long and of both cases. */
const credential = /^(?:sk|whsec|lm[acr])_|^(?=.{32})(?=.*[a-z])(?=.*[A-Z])/;

/**
 * The caller's own id of a request, from its X-Request-Id; null where it has none that may be logged. A
 * credential that somebody puts there is not.
 */
export function callersRequestId(header: string | null | undefined): string | null {
  return header && wellFormed.test(header) && !credential.test(header) ? header : null;
}
