import { randomBytes } from "node:crypto";
import { Hono, type Context as HonoContext } from "hono";
import { database, type Database } from "@/db/client";
import { requireRole, requireSend, type Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { clientAddress, type NodeBindings } from "../address";
import { parseJson, readBody } from "../body";
import { errorEnvelope, httpStatuses, toAppError } from "../errors";
import type { AnyOperation, OperationInput } from "../operation";
import { validate } from "@/lib/validate";
import { takeFromRate, type RateState } from "../rate-limit";
import { keyCredential, sessionCredential, type Credential } from "./credential";
import { openApiDocument } from "./openapi";
import { bearerOperations } from "./operations";
import { canonicalPath } from "./paths";

type Door = HonoContext<{ Bindings: NodeBindings }>;

const deniedPerMinute = 600;

/** Which credential a mount takes: an API key, or the dashboard's session. */
export type CredentialKind = "key" | "session";

/** `/v1/emails/{id}` as Hono and as a pattern. */
const honoPath = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");
const pathPattern = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);

/**
 * The bearer surface as a Hono app. Checks run in the contract's order: credential, rate limit, scope,
 * parse, work. `db` is the process's pool unless a test brings its own.
 */
export function createBearerApp(kind: CredentialKind, db: () => Database = database) {
  const operations = bearerOperations as readonly AnyOperation[];
  const app = new Hono<{ Bindings: NodeBindings }>({
    getPath: (request) => canonicalPath(new URL(request.url).pathname),
  });
  const routes = operations.flatMap((operation) =>
    [operation.path, ...(operation.aliases ?? [])].map((path) => ({ operation, path })),
  );
  const patterns = routes.map(({ operation, path }) => ({
    method: operation.method.toUpperCase(),
    pattern: pathPattern(path),
  }));

  if (kind === "key") {
    app.get("/v1/openapi.json", (c) =>
      answer(c, db(), kind, null, () => Promise.resolve(json(200, openApiDocument()))),
    );
  }
  for (const { operation, path } of routes) {
    app.on(operation.method.toUpperCase(), honoPath(path), (c) =>
      answer(c, db(), kind, operation, (context) => runOperation(c, context, operation)),
    );
  }
  app.notFound((c) =>
    answer(c, db(), kind, undefined, () => {
      const allowed = patterns
        .filter(({ pattern }) => pattern.test(canonicalPath(c.req.path)))
        .map(({ method }) => method);
      if (allowed.length === 0) {
        throw new AppError("NOT_FOUND", `There is nothing at ${c.req.method} ${c.req.path}.`);
      }
      const methods = [...new Set(allowed.includes("GET") ? [...allowed, "HEAD"] : allowed)];
      const error = new AppError(
        "METHOD_NOT_ALLOWED",
        `${c.req.path} does not take ${c.req.method}. Allowed: ${methods.join(", ")}.`,
      );
      return Promise.reject(Object.assign(error, { allow: methods.join(", ") }));
    }),
  );
  return app;
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(body === undefined ? null : JSON.stringify(body), {
    status,
    headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
  });
}

/** `operation` null: public, undefined: an unknown path. Sets the headers that stand on every answer. */
async function answer(
  c: Door,
  db: Database,
  kind: CredentialKind,
  operation: AnyOperation | null | undefined,
  work: (context: Context) => Promise<Response>,
): Promise<Response> {
  const requestId = `req_${randomBytes(12).toString("base64url")}`;
  let rate: RateState | undefined;
  let response: Response;
  try {
    let credential: Credential | null = null;
    if (operation !== null) {
      try {
        const read = kind === "key" ? keyCredential : sessionCredential;
        credential = await read(db, c.req.raw);
      } catch (error) {
        rate = await takeDenied(c, db);
        if (!rate.allowed) throw rateError(rate);
        throw error;
      }
      rate = await takeFromRate(db, credential.rules[operation?.rate ?? "api"]);
      if (!rate.allowed) throw rateError(rate);
      if (operation) checkAccess(credential, operation);
    } else {
      rate = await takeFromRate(db, {
        subject: `public:${clientAddress(c.req.raw, c.env)}`,
        limit: deniedPerMinute,
        windowSeconds: 60,
      });
      if (!rate.allowed) throw rateError(rate);
    }
    response = await work({ ...(credential?.context as Credential["context"]), db, requestId });
  } catch (thrown) {
    const error = toAppError(thrown, requestId);
    response = json(httpStatuses[error.code], errorEnvelope(error, requestId));
    const allow = (thrown as { allow?: string }).allow;
    if (allow) response.headers.set("allow", allow);
    if (error.code === "RATE_LIMIT_EXCEEDED" && rate) {
      response.headers.set("retry-after", String(rate.retryAfterSeconds));
    }
  }
  response.headers.set("x-request-id", requestId);
  response.headers.set("cache-control", "no-store");
  if (rate) {
    response.headers.set("x-ratelimit-limit", String(rate.limit));
    response.headers.set("x-ratelimit-remaining", String(rate.remaining));
    response.headers.set("x-ratelimit-reset", String(rate.resetsAt));
  }
  return response;
}

/** Failed credentials are counted by address, apart from every key. */
function takeDenied(c: Door, db: Database): Promise<RateState> {
  return takeFromRate(db, {
    subject: `denied:${clientAddress(c.req.raw, c.env)}`,
    limit: deniedPerMinute,
    windowSeconds: 60,
  });
}

function rateError(rate: RateState): AppError {
  const seconds = rate.retryAfterSeconds;
  return new AppError(
    "RATE_LIMIT_EXCEEDED",
    `Too many requests. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
  );
}

function checkAccess(credential: Credential, operation: AnyOperation): void {
  const context = { ...credential.context } as Context;
  if (operation.sessionOnly && !credential.isSession) {
    throw new AppError("NOT_ALLOWED", "Only a person signed in to the dashboard may do this.");
  }
  if (operation.access === "send") requireSend(context);
  else requireRole(context, operation.access);
}

async function runOperation(c: Door, ctx: Context, operation: AnyOperation): Promise<Response> {
  const rawBody = operation.body ? await readBody(c.req.raw) : Buffer.alloc(0);
  const input: OperationInput<unknown, unknown, unknown> = {
    params: operation.params ? validate(operation.params, c.req.param()) : undefined,
    query: operation.query ? validate(operation.query, c.req.query()) : undefined,
    body: operation.body ? validate(operation.body, parseJson(rawBody)) : undefined,
    rawBody,
    headers: c.req.raw.headers,
  };
  const result = await operation.run(ctx, input);
  return json(result.status, result.body, result.headers);
}
