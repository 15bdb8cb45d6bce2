import { Hono } from "hono";
import type { Database } from "@/db/client";
import type { Context } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import { validate } from "@/lib/ground/validate";
import { clientAddress, type NodeBindings } from "./client-address";
import type { AnyOperation, FormFile } from "./operation";
import type { Answer, RequestContext, SurfacePolicy } from "./policy";
import { MethodNotAllowed, respond } from "./respond";
import { readUpload } from "./upload";

/** The body of a request, read and parsed. */
export interface ReadInput {
  body: unknown;
  rawBody: Buffer;
  files: readonly FormFile[];
}

/** One HTTP surface: its operations, and the policy they run under. */
export interface Surface extends SurfacePolicy {
  operations: readonly AnyOperation[];
  /** Turns any accepted form of a path into the one that operations declare. */
  canonicalPath(pathname: string): string;
  /** Documents anybody may read, by canonical path. */
  openDocuments: Readonly<Record<string, () => unknown>>;
  /** A missing body counts as an empty object where it is `optional`. */
  readInput(c: RequestContext, optional: boolean): Promise<ReadInput>;
}

/** `/v1/emails/{id}` in Hono's notation, and as a pattern. */
const honoPath = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");
const pathPattern = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);

const noInput: ReadInput = { body: undefined, rawBody: Buffer.alloc(0), files: [] };

/** The path of an absolute URL, undecoded: parsing the whole URL would cost more than routing. */
export function pathnameOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}

/** A surface as a Hono app. */
export function createSurfaceApp(surface: Surface, db: () => Database) {
  const pathOf = (url: string) => surface.canonicalPath(pathnameOf(url));
  const app = new Hono<{ Bindings: NodeBindings }>({ getPath: (request) => pathOf(request.url) });
  const routes = surface.operations.flatMap((operation) =>
    [operation.path, ...(operation.aliases ?? [])].map((path) => ({
      operation,
      path,
      method: operation.method.toUpperCase(),
      pattern: pathPattern(path),
    })),
  );
  for (const [path, document] of Object.entries(surface.openDocuments)) {
    app.get(path, (c) =>
      respond(c, surface, db(), "public", () => ({ status: 200, body: document() })),
    );
  }
  for (const { operation, path, method } of routes) {
    app.on(method, honoPath(path), (c) =>
      respond(c, surface, db(), operation, (ctx) => runOperation(c, surface, ctx, operation)),
    );
  }
  app.notFound((c) =>
    respond(c, surface, db(), "unknown", () => {
      const path = pathOf(c.req.url);
      const methods = new Set(
        routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
      );
      if (path in surface.openDocuments) methods.add("GET");
      if (methods.has("GET")) methods.add("HEAD");
      if (methods.size > 0) throw new MethodNotAllowed(path, c.req.method, [...methods]);
      throw new AppError("NOT_FOUND", `There is nothing at ${c.req.method} ${path}.`);
    }),
  );
  return app;
}

async function runOperation(
  c: RequestContext,
  surface: Surface,
  ctx: Context,
  operation: AnyOperation,
): Promise<Answer> {
  const { body, ...input } = operation.body
    ? await surface.readInput(c, operation.bodyOptional === true)
    : noInput;
  return operation.run(ctx, {
    ...input,
    params: operation.params ? validate(operation.params, c.req.param()) : undefined,
    query: operation.query ? validate(operation.query, c.req.query()) : undefined,
    body: operation.body ? validate(operation.body, body) : undefined,
    headers: c.req.raw.headers,
    clientAddress: () => clientAddress(c.req.raw, c.env),
    upload: () => readUpload(c.req.raw, c.env, operation.upload ?? []),
  });
}
