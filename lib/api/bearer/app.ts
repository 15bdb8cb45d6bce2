import { Hono } from "hono";
import { database, type Database } from "@/db/client";
import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { validate } from "@/lib/validate";
import type { NodeBindings } from "../address";
import { parseJson, readBody } from "../body";
import type { AnyOperation } from "../operation";
import { readUpload } from "../upload";
import {
  answerRequest,
  MethodNotAllowed,
  type Answer,
  type CredentialKind,
  type Door,
} from "./answer";
import { openApiDocument } from "./openapi";
import { bearerOperations } from "./operations";
import { canonicalPath, pathnameOf } from "./paths";

/** `/v1/emails/{id}` as Hono and as a pattern. */
const honoPath = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");
const pathPattern = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);

const noBody = Buffer.alloc(0);

/**
 * The bearer surface as a Hono app. `db` is the process's pool unless a test brings its own.
 */
export function createBearerApp(kind: CredentialKind, db: () => Database = database) {
  const app = new Hono<{ Bindings: NodeBindings }>({
    getPath: (request) => canonicalPath(pathnameOf(request.url)),
  });
  const routes = (bearerOperations as readonly AnyOperation[]).flatMap((operation) =>
    [operation.path, ...(operation.aliases ?? [])].map((path) => ({
      operation,
      path,
      method: operation.method.toUpperCase(),
      pattern: pathPattern(path),
    })),
  );
  if (kind === "key") {
    app.get("/v1/openapi.json", (c) =>
      answerRequest(c, { kind, db: db() }, "public", () => ({
        status: 200,
        body: openApiDocument(),
      })),
    );
  }
  for (const { operation, path, method } of routes) {
    app.on(method, honoPath(path), (c) =>
      answerRequest(c, { kind, db: db() }, operation, (ctx) => runOperation(c, ctx, operation)),
    );
  }
  app.notFound((c) =>
    answerRequest(c, { kind, db: db() }, "unknown", () => {
      const path = canonicalPath(pathnameOf(c.req.url));
      const methods = new Set(
        routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
      );
      if (path === "/v1/openapi.json" && kind === "key") methods.add("GET");
      if (methods.has("GET")) methods.add("HEAD");
      if (methods.size > 0) throw new MethodNotAllowed(path, c.req.method, [...methods]);
      throw new AppError("NOT_FOUND", `There is nothing at ${c.req.method} ${path}.`);
    }),
  );
  return app;
}

async function runOperation(c: Door, ctx: Context, operation: AnyOperation): Promise<Answer> {
  const rawBody = operation.body ? await readBody(c.req.raw, c.env) : noBody;
  return operation.run(ctx, {
    params: operation.params ? validate(operation.params, c.req.param()) : undefined,
    query: operation.query ? validate(operation.query, c.req.query()) : undefined,
    body: operation.body ? validate(operation.body, parseJson(rawBody)) : undefined,
    rawBody,
    headers: c.req.raw.headers,
    upload: () => readUpload(c.req.raw, c.env, operation.upload ?? []),
  });
}
