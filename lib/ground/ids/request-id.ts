import { randomUUID } from "node:crypto";

/** The id of one request or command: on the answer, in the log, and in the message of an INTERNAL_ERROR. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll("-", "")}`;
}

/** Without dots and @, which addresses have; no shorter than the product's name for its own work ("system"). */
const wellFormed = /^[A-Za-z0-9_-]{8,64}$/;
/** What our keys and tokens look like: known by how they begin, or long and in both cases. */
const credential = /^(?:sk|whsec|lm[acr])_|^(?=.{32})(?=.*[a-z])(?=.*[A-Z])/;

/**
 * The caller's own id of a request, from its X-Request-Id; null where it has none that may be logged: a
 * credential that somebody puts there may not.
 */
export function callersRequestId(header: string | null | undefined): string | null {
  return header && wellFormed.test(header) && !credential.test(header) ? header : null;
}
