import type { Context as HonoContext } from "hono";
import type { Database } from "@/db/client";
import { deniedRate } from "@/lib/domain/api-keys/acting";
import { requireRole, requireSend, type Context } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import { newRequestId } from "@/lib/ground/ids/request-id";
import { takeFromRate, type RateState } from "@/lib/ground/rate-limit";
import { toAppError } from "@/lib/ground/unforeseen-errors";
import { clientAddress, type NodeBindings } from "./client-address";
import type { Credential } from "./credential";
import type { AnyOperation } from "./operation";

export type Door = HonoContext<{ Bindings: NodeBindings }>;

/** What a piece of work answers; no body: no content. */
export interface Answer {
  status: number;
  body?: unknown;
  stream?: ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
}

/** What surfaces do each in their own way. */
export interface Manners {
  /** Who asks; throws an AppError for nobody we know. */
  credential(db: Database, request: Request): Promise<Credential>;
  /** How an error is told. */
  errorAnswer(error: AppError, requestId: string): Answer;
  /** On every answer. */
  headers?: Record<string, string>;
}

/** What a request is for: an operation, a path nobody serves, or a page open to all. */
export type Target = AnyOperation | "unknown" | "public";

const publicPerMinute = 600;

/**
 * Answers one request: credential, rate limit, scope, then `work`; errors are told as the surface does.
 * The request id and the rate's three headers stand on every answer.
 */
export async function answerRequest(
  c: Door,
  surface: Manners,
  db: Database,
  target: Target,
  work: (context: Context) => Promise<Answer> | Answer,
): Promise<Response> {
  const requestId = newRequestId();
  const seen: { rate?: RateState } = {};
  let answer: Answer;
  try {
    const context = await admit(c, surface, db, target, seen);
    answer = await work({ ...context, db, requestId });
  } catch (thrown) {
    const error = toAppError(thrown, requestId);
    answer = {
      ...surface.errorAnswer(error, requestId),
      headers: errorHeaders(error, thrown, seen.rate),
    };
  }
  // One object for all headers: setting them on a Response one by one makes node-server build it twice.
  const headers: Record<string, string> = {
    "x-request-id": requestId,
    "cache-control": "no-store",
    ...surface.headers,
    ...answer.headers,
  };
  if (seen.rate) {
    headers["x-ratelimit-limit"] = String(seen.rate.limit);
    headers["x-ratelimit-remaining"] = String(seen.rate.remaining);
    headers["x-ratelimit-reset"] = String(seen.rate.resetsAt);
  }
  if (answer.stream) return new Response(answer.stream, { status: answer.status, headers });
  if (answer.body === undefined) return new Response(null, { status: answer.status, headers });
  headers["content-type"] = "application/json";
  return new Response(JSON.stringify(answer.body), { status: answer.status, headers });
}

/** Whom the request acts for, once it has passed credential, rate limit and scope. */
async function admit(
  c: Door,
  surface: Manners,
  db: Database,
  target: Target,
  seen: { rate?: RateState },
): Promise<Credential["context"]> {
  const count = async (taking: Promise<RateState>) => {
    seen.rate = await taking;
    if (!seen.rate.allowed) throw rateError(seen.rate);
  };
  if (target === "public") {
    const subject = `public:${clientAddress(c.req.raw, c.env)}`;
    await count(takeFromRate(db, { subject, limit: publicPerMinute, windowSeconds: 60 }));
    return nobody;
  }
  let credential: Credential;
  try {
    credential = await surface.credential(db, c.req.raw);
  } catch (error) {
    await count(takeFromRate(db, deniedRate(clientAddress(c.req.raw, c.env))));
    throw error;
  }
  await count(takeFromRate(db, credential.rules[target === "unknown" ? "api" : target.rate]));
  if (target !== "unknown") checkAccess(credential, target);
  return credential.context;
}

/** The context of a public page, which acts for nobody. */
const nobody: Credential["context"] = {
  projectId: "",
  actor: { type: "system", id: null },
  role: "viewer",
  sendingOnly: true,
  testMode: false,
};

function rateError({ retryAfterSeconds: seconds }: RateState): AppError {
  return new AppError(
    "RATE_LIMIT_EXCEEDED",
    `Too many requests. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
  );
}

/** METHOD_NOT_ALLOWED with what the path does take. */
export class MethodNotAllowed extends AppError {
  constructor(
    path: string,
    method: string,
    readonly allowed: readonly string[],
  ) {
    super("METHOD_NOT_ALLOWED", `${path} does not take ${method}. Allowed: ${allowed.join(", ")}.`);
  }
}

function errorHeaders(
  error: AppError,
  thrown: unknown,
  rate: RateState | undefined,
): Record<string, string> {
  return {
    ...(thrown instanceof MethodNotAllowed ? { allow: thrown.allowed.join(", ") } : {}),
    ...(error.code === "RATE_LIMIT_EXCEEDED" && rate
      ? { "retry-after": String(rate.retryAfterSeconds) }
      : {}),
  };
}

function checkAccess({ context, isSession }: Credential, operation: AnyOperation): void {
  if (operation.sessionOnly && !isSession) {
    throw new AppError("NOT_ALLOWED", "Only a person signed in to the dashboard may do this.");
  }
  if (operation.access === "send") requireSend(context);
  else requireRole(context, operation.access);
}
