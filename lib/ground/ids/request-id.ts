import { randomUUID } from "node:crypto";

/** The id of one request or command: on the answer, in the log, and in the message of an INTERNAL_ERROR. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll("-", "")}`;
}
