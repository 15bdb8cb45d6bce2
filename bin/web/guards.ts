import type { IncomingMessage, ServerResponse } from "node:http";
import { invalid, type AppError } from "@/lib/ground/errors";
import { tooLarge } from "@/lib/doors/http/surface/body";
import { errorEnvelope, httpStatuses } from "@/lib/doors/http/surface/errors";
import { recordedId } from "@/lib/doors/http/surface/request-record";

/** Path and query of a request's target, which may be a whole URL (RFC 9112, 3.2.2). */
export function targetOf(request: IncomingMessage): string {
  const target = request.url ?? "/";
  return target.replace(/^https?:\/\/[^/?#]*/i, "") || "/";
}

/**
 * Throws VALIDATION_ERROR for a path with `.` or `..` among its segments, dots encoded or not: one program
 * resolves them, the next does not, and then what was checked is not what is served. `encodedSlashes`
 * counts %2F and %5C as slashes, as programs do that decode a path before splitting it.
 */
export function refuseDotSegments(path: string, encodedSlashes: boolean): void {
  const dots = path.replace(/%2e/gi, ".");
  const segments = (encodedSlashes ? dots.replace(/%2f|%5c/gi, "/") : dots).split(/[/\\]/);
  if (segments.includes(".") || segments.includes("..")) {
    throw invalid("path", "must not contain the segments . and ..");
  }
}

/** Answers with an error envelope and ends the connection, even with the request still arriving. */
export function refuse(response: ServerResponse, error: AppError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const requestId = recordedId(response.req);
  const allow = response.getHeader("allow");
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  if (allow !== undefined) response.setHeader("allow", allow);
  response.writeHead(httpStatuses[error.code], {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
    connection: "close",
  });
  response.end(JSON.stringify(errorEnvelope(error, requestId)));
}

/**
 * Ends the request with 413 as soon as its body has more than `limit` bytes. Next and next-auth read a body
 * whole, whatever its size, so it is counted on its way to them. False: it has already been refused.
 */
export function limitBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): boolean {
  if (Number(request.headers["content-length"] ?? 0) > limit) {
    refuse(response, tooLarge(limit));
    return false;
  }
  let size = 0;
  // What Node's parser hands each chunk to; a listener of ours would start the flow before Next reads.
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, encoding) => {
    const before = size;
    size += chunk?.length ?? 0;
    if (size <= limit) return push(chunk, encoding);
    if (before <= limit) refuse(response, tooLarge(limit));
    // What is left is dropped until the answer is out and the connection closes.
    return true;
  };
  return true;
}

/** Ends a request with 408 when its body has not fully arrived in time. */
export function limitBodyTime(
  request: IncomingMessage,
  response: ServerResponse,
  milliseconds: number,
): void {
  const { headers } = request;
  if (headers["transfer-encoding"] === undefined && !Number(headers["content-length"])) return;
  const timer = setTimeout(() => {
    if (request.complete) return;
    // Bypasses the response: whatever reads the body will try to answer that it broke off.
    if (!response.headersSent) {
      request.socket.write("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n");
    }
    request.socket.destroySoon();
  }, milliseconds);
  request.once("end", () => clearTimeout(timer));
  request.once("close", () => clearTimeout(timer));
}
