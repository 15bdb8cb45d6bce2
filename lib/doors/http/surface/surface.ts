import { Hono } from "hono";
import { z } from "zod";
import type { Database } from "@/db/client";
import type { Context } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import { onReplica } from "@/lib/ground/replica";
import { validate } from "@/lib/ground/validate";
import { checkStorable, defaultBodyLimit } from "./body";
import { clientAddress, type NodeBindings } from "./client-address";
import { roomForBody, type BodyRoom } from "./intake";
import { inputOf, readsReplica, type AnyOperation, type FormFile } from "./operation";
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
  /** Reads the operation's body, up to its limit; a missing one is an empty object where that is allowed. */
  readInput(c: RequestContext, operation: BodyRules): Promise<ReadInput>;
  /** What a query's parameters mean, where not simply what they say. */
  readQuery?(given: Record<string, string>): Record<string, unknown>;
  /** Whether query parameters and bodies that an operation does not declare are refused or ignored. */
  refusesUndeclared: boolean;
}

/** `/v1/emails/{id}` in Hono's notation, and as a pattern. */
const honoPath = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");
const pathPattern = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);

interface PathMethods {
  path: string;
  pattern: RegExp;
  methods: Set<string>;
}

/** Every declared path with its methods; those with more fixed segments first, since they are meant first. */
function pathTable(routes: readonly { path: string; method: string }[]): PathMethods[] {
  const table = new Map<string, PathMethods>();
  for (const { path, method } of routes) {
    const entry = table.get(path) ?? { path, pattern: pathPattern(path), methods: new Set() };
    table.set(path, entry);
    entry.methods.add(method);
    if (method === "GET") entry.methods.add("HEAD");
  }
  const parameters = (path: string) => path.split("{").length;
  return [...table.values()].sort((a, b) => parameters(a.path) - parameters(b.path));
}

/** Methods of paths that would take this one for an id: `DELETE /v1/contacts/export`. */
function swallowedMethods({ path, methods }: PathMethods, table: readonly PathMethods[]): string[] {
  const other = table.filter((entry) => entry.path !== path && entry.pattern.test(path));
  const swallowed = new Set(other.flatMap((entry) => [...entry.methods]));
  return [...swallowed].filter((method) => method !== "HEAD" && !methods.has(method));
}

/** What a surface needs to know about an operation to read its body. */
export interface BodyRules extends Pick<AnyOperation, "bodyOptional" | "bodyLimit"> {
  /** What it counts towards; null: the request has no body of its own. */
  room: BodyRoom | null;
}

/** For an operation that declares no query or no body. */
const nothing = z.strictObject({});
const undeclaredBodyLimit = 16 * 1024;
const undeclaredBody = { bodyOptional: true, bodyLimit: undeclaredBodyLimit };

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
    })),
  );
  const documents = Object.keys(surface.openDocuments).map((path) => ({ path, method: "GET" }));
  const table = pathTable([...routes, ...documents]);
  const refuseMethod = (c: RequestContext) =>
    respond(c, surface, db(), "unknown", () => {
      const path = pathOf(c.req.url);
      const methods = table.find(({ pattern }) => pattern.test(path))?.methods;
      if (methods) throw new MethodNotAllowed(path, c.req.method, [...methods]);
      throw new AppError("NOT_FOUND", `There is nothing at ${c.req.method} ${path}.`);
    });
  for (const [path, document] of Object.entries(surface.openDocuments)) {
    app.get(path, (c) =>
      respond(c, surface, db(), "public", () => ({ status: 200, body: document() })),
    );
  }
  for (const entry of table) {
    for (const method of swallowedMethods(entry, table)) {
      app.on(method, honoPath(entry.path), refuseMethod);
    }
  }
  for (const { operation, path, method } of routes) {
    app.on(method, honoPath(path), (c) =>
      respond(c, surface, db(), operation, (ctx) => runWithRoom(c, surface, ctx, operation)),
    );
  }
  app.notFound(refuseMethod);
  return app;
}

/** A body sent with GET means nothing (RFC 9110, 9.3.1); an upload is read by its operation. */
function takesBody({ method, upload }: AnyOperation): boolean {
  return method !== "get" && !upload;
}

/** A body counts from just before it is read, or as it arrives, until its request is answered. */
async function runWithRoom(
  c: RequestContext,
  surface: Surface,
  ctx: Context,
  operation: AnyOperation,
): Promise<Answer> {
  const limit = operation.body ? (operation.bodyLimit ?? defaultBodyLimit) : undeclaredBodyLimit;
  const room = takesBody(operation) ? await roomForBody(c.req.raw, ctx.projectId, limit) : null;
  try {
    return await runOperation(c, surface, ctx, operation, room);
  } finally {
    room?.release();
  }
}

/** The canonical path's parameters, all empty: an alias may leave some out. */
const noParams = ({ path }: AnyOperation): Record<string, string> =>
  Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, ""]));

async function runOperation(
  c: RequestContext,
  surface: Surface,
  ctx: Context,
  operation: AnyOperation,
  room: BodyRoom | null,
): Promise<Answer> {
  const input = inputOf(operation, ctx.session !== undefined);
  const query = input.query ?? (surface.refusesUndeclared ? nothing : undefined);
  const givenQuery = c.req.query();
  checkStorable(givenQuery);
  const parsedQuery = query && validate(query, surface.readQuery?.(givenQuery) ?? givenQuery);
  if (!operation.body && surface.refusesUndeclared && takesBody(operation)) {
    validate(nothing, (await surface.readInput(c, { ...undeclaredBody, room })).body ?? {});
  }
  const { bodyOptional, bodyLimit } = operation;
  const rules = { bodyOptional, bodyLimit, room };
  const { body, ...read } = operation.body ? await surface.readInput(c, rules) : noInput;
  const parsed = {
    ...read,
    params:
      operation.params && validate(operation.params, { ...noParams(operation), ...c.req.param() }),
    // Of a query for sessions alone, others have an empty one.
    query: (input.query ?? operation.sessionQuery) && parsedQuery,
    body: input.body ? validate(input.body, body) : undefined,
    headers: c.req.raw.headers,
    clientAddress: () => clientAddress(c.req.raw, c.env),
    upload: () => readUpload(c.req.raw, c.env, operation.upload ?? []),
  };
  return readsReplica(operation)
    ? onReplica(ctx, (reading) => operation.run(reading, parsed))
    : operation.run(ctx, parsed);
}
