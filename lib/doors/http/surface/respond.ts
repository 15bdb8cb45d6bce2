import type { Database } from "@/db/client";
import { originOf, type Context } from "@/lib/ground/context";
import { AppError, isAppError } from "@/lib/ground/errors";
import type { RateState } from "@/lib/ground/rate-limit";
import { toAppError } from "@/lib/ground/unforeseen-errors";
import { admit, type CountRequest, type RequestTarget } from "./admission";
import { adviceHeaders } from "./errors";
import { clientAddress } from "./client-address";
import { noteRoute, requestIdOf } from "./request-record";
import type { Answer, RequestContext, SurfacePolicy } from "./policy";

/**
 * Answers one request: admission (credential, rate limit, scope), then `work`; errors go out in the
 * surface's envelope. The request id and the three rate headers are on every answer.
 */
export async function respond(
  c: RequestContext,
  policy: SurfacePolicy,
  db: Database,
  target: RequestTarget,
  work: (context: Context, countRequest: CountRequest) => Promise<Answer> | Answer,
): Promise<Response> {
  const requestId = requestIdOf(c.req.raw, c.env);
  if (typeof target !== "string") noteRoute(c.env, target.path);
  // An object, since TypeScript takes a variable set inside a callback for unset.
  const counted: { rate?: RateState } = {};
  let answer: Answer;
  try {
    const admitted = await admit(c, policy, db, target, (rate) => {
      // Of several limits, the caller is told the one that has the least left.
      if (!counted.rate || rate.remaining <= counted.rate.remaining) counted.rate = rate;
    });
    const origin = originOf(clientAddress(c.req.raw, c.env), c.req.raw.headers);
    answer = await work({ ...admitted.context, db, requestId, origin }, admitted.countRequest);
  } catch (thrown) {
    const error = toAppError(thrown, requestId);
    const refusal = policy.errorAnswer(error, requestId);
    answer = {
      ...refusal,
      headers: { ...refusal.headers, ...errorHeaders(error, counted.rate) },
    };
  }
  // One object for all headers: setting them on a Response one by one makes node-server build it twice.
  const headers: Record<string, string> = {
    "x-request-id": requestId,
    "cache-control": "no-store",
    ...policy.headers,
    ...answer.headers,
  };
  if (counted.rate) {
    headers["x-ratelimit-limit"] = String(counted.rate.limit);
    headers["x-ratelimit-remaining"] = String(counted.rate.remaining);
    headers["x-ratelimit-reset"] = String(counted.rate.resetsAt);
  }
  if (answer.stream) return new Response(answer.stream, { status: answer.status, headers });
  if (answer.body === undefined) return new Response(null, { status: answer.status, headers });
  headers["content-type"] = "application/json";
  return new Response(JSON.stringify(answer.body), { status: answer.status, headers });
}

/** A METHOD_NOT_ALLOWED that knows which methods the path does take. */
export class MethodNotAllowed extends AppError {
  constructor(
    path: string,
    method: string,
    readonly allowed: readonly string[],
  ) {
    super("METHOD_NOT_ALLOWED", `${path} does not take ${method}. Allowed: ${allowed.join(", ")}.`);
  }
}

function isMethodNotAllowed(error: unknown): error is MethodNotAllowed {
  return isAppError(error) && error.code === "METHOD_NOT_ALLOWED" && "allowed" in error;
}

function errorHeaders(error: AppError, rate: RateState | undefined): Record<string, string> {
  if (isMethodNotAllowed(error)) return { allow: error.allowed.join(", ") };
  if (error.code === "RATE_LIMIT_EXCEEDED" && rate) {
    return { "retry-after": String(rate.retryAfterSeconds) };
  }
  return adviceHeaders(error);
}
