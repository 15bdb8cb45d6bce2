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

/** How slowly a request's body may arrive. */
export interface BodyPace {
  /** For this long it may arrive as slowly as it likes. */
  freeMilliseconds: number;
  /** Bytes a second that have to arrive afterwards, on average since then. */
  leastPerSecond: number;
  /** When all of it has to be there. */
  wholeMilliseconds: number;
}

const tooSlow = "The request's body came too slowly. Nothing was done.\n";
const timeoutAnswer =
  "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n" +
  `Cache-Control: no-store\r\nContent-Length: ${tooSlow.length}\r\n\r\n${tooSlow}`;

/** Ends a request with 408 when its body comes too slowly, or is not whole in time. */
export function limitBodyPace(
  request: IncomingMessage,
  response: ServerResponse,
  { freeMilliseconds, leastPerSecond, wholeMilliseconds }: BodyPace,
): void {
  const { headers, socket } = request;
  if (headers["transfer-encoding"] === undefined && !Number(headers["content-length"])) return;
  const began = performance.now();
  const before = socket.bytesRead;
  const step = freeMilliseconds / 5;
  let least = 0;
  const check = () => {
    if (request.complete) return;
    const left = wholeMilliseconds - (performance.now() - began);
    if (left > 0 && socket.bytesRead - before >= least) {
      // While we do not read what is there, the client is not the one who is slow.
      if (request.readableLength === 0) least += (step / 1_000) * leastPerSecond;
      timer = setTimeout(check, Math.min(step, left));
      return;
    }
    // Bypasses the response: whatever reads the body will try to answer that it broke off.
    if (!response.headersSent) socket.write(timeoutAnswer);
    socket.destroySoon();
  };
  let timer = setTimeout(check, Math.min(freeMilliseconds, wholeMilliseconds));
  request.once("end", () => clearTimeout(timer));
  request.once("close", () => clearTimeout(timer));
}
