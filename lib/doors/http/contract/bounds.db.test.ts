import { sql } from "drizzle-orm";
import { z } from "zod";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject, sessionCookie } from "@/lib/testing";
import { cpuClock } from "@/lib/testing/cpu-time";
import { platformToken } from "@/lib/testing/platform";
import { resendOperations } from "@/lib/doors/http/resend/operations";
import { platformDocument } from "@/lib/doors/http/platform/openapi";
import { platformOperations } from "@/lib/doors/http/platform/operations";
import type { AnyOperation } from "@/lib/doors/http/surface/operation";
import { openApiDocument } from "@/lib/doors/http/v1/openapi";
import { bearerOperations } from "@/lib/doors/http/v1/operations";
import { partsOf, type Part } from "./bounds";
import { Contract, type Schema } from "./document";
import { doors, type Answer, type Sent } from "./doors";

/* Everything a caller sends has a bound, which refuses by name before what is beyond it costs anything. */
const database = useTestDatabase();
const surfaces = {
  bearer: bearerOperations as readonly AnyOperation[],
  platform: platformOperations as readonly AnyOperation[],
  resend: resendOperations as readonly AnyOperation[],
};
type SurfaceName = keyof typeof surfaces;

/** Held as a whole, by the length of its JSON: what is inside needs no bounds of its own. */
const heldWhole = /\.(data|templateData|variables|properties|design|content\[\])\.(\*|<name>)$/;
/** Names that a form of the platform API may have besides those of the list's fields, which are ignored. */
const ignoredNames = /^\.\*$/;

function requestParts({ query, body }: AnyOperation, io: "query" | "body"): Part[] {
  const schema = io === "query" ? query : body;
  if (!schema) return [];
  const options = { io: "input", unrepresentable: "any", cycles: "ref", reused: "inline" } as const;
  const json = z.toJSONSchema(schema, options) as Schema & { $defs?: Record<string, Schema> };
  const resolve = (part: Schema) => {
    if (!part.$ref) return part;
    return json.$defs?.[part.$ref.split("/").at(-1) ?? ""] ?? json;
  };
  return [...partsOf(json, resolve)];
}

const unbounded = (parts: readonly Part[]) =>
  parts
    .filter(({ most, place }) => most === null && !heldWhole.test(place))
    .map(({ place, kind }) => `${place} ${kind}`);

describe.each(Object.keys(surfaces) as SurfaceName[])("%s", (name) => {
  test("bounds each text, list and object with free names of a request", () => {
    const open = surfaces[name].flatMap((operation) =>
      (["query", "body"] as const).flatMap((io) =>
        unbounded(requestParts(operation, io)).map((part) => `${operation.name} ${io}${part}`),
      ),
    );
    expect(open).toEqual([]);
    const all = surfaces[name].flatMap((operation) => requestParts(operation, "body"));
    expect(all.length).toBeGreaterThan(30);
  });
});

describe.each([
  ["bearer", () => openApiDocument()],
  ["platform", () => platformDocument()],
] as const)("the document of the %s surface", (_name, document) => {
  test("says so", () => {
    const contract = new Contract(document());
    const resolve = (schema: Schema) => contract.resolve(schema);
    const open = contract.operations.flatMap(({ name, body, parameters }) => [
      ...(body ? unbounded([...partsOf(body, resolve)]).map((part) => name + part) : []),
      ...parameters
        .filter((parameter) => parameter.in === "query")
        .flatMap(({ name: field, schema }) =>
          unbounded([...partsOf(schema, resolve)]).map((part) => `${name} ${field}${part}`),
        ),
    ]);
    expect(open).toEqual([]);
  });
});

let ask: Record<SurfaceName, (operation: AnyOperation, search: string, body: unknown) => Sent>;

beforeAll(async () => {
  const project = await makeProject(database.db);
  const cookie = await sessionCookie(database.db, project.userId);
  const token = await platformToken(project);
  const pathOf = ({ path }: AnyOperation) => path.replace(/\{\w+\}/g, "nonsense");
  const methodOf = ({ method }: AnyOperation) => method.toUpperCase();
  const root = `/api/dashboard/${encodeId("project", project.projectId)}`;
  const rest = (operation: AnyOperation, body: unknown) => ({
    method: methodOf(operation),
    ...(body === undefined ? {} : { body }),
  });
  ask = {
    bearer: (operation, search, body) => ({
      ...rest(operation, body),
      path: `${root}${pathOf(operation)}${search && `?${search}`}`,
      headers: { cookie, origin: env().APP_URL },
    }),
    platform: (operation, search, body) => ({
      ...rest(operation, body),
      path: `/api/v1${pathOf(operation)}?api_token=${token}${search && `&${search}`}`,
    }),
    resend: (operation, search, body) => ({
      ...rest(operation, body),
      path: `/resend${pathOf(operation)}${search && `?${search}`}`,
      headers: { authorization: `Bearer ${project.apiKey}` },
    }),
  };
});
beforeEach(() => database.db.execute(sql`delete from rate_limits`));

/** What says which members a body has. */
const decides: Record<string, object> = { createConnection: { kind: "smtp" } };

/** Longer ones would take longer to make than to refuse. */
const longestSent = 6 * 1024 * 1024;

function tooMuch({ kind, most }: Part): unknown {
  const more = (most === null || most === Infinity ? 1_000 : most) + 1;
  if (kind === "text") return "a".repeat(more);
  const items = Array.from({ length: more }, () => null);
  return kind === "list" ? items : Object.fromEntries(items.map((none, n) => [`N${n}`, none]));
}

/** A body in which nothing but one part is given, and that has one too many. */
function bodyWith(place: string, value: unknown): unknown {
  const steps = place.match(/\.[^.[]+|\[\]/g) ?? [];
  return steps.reduceRight<unknown>((inside, step) => {
    if (step === "[]") return [inside];
    const name = step.slice(1);
    if (name === "<name>") return { [String(inside)]: "x" };
    return { [name === "*" ? "NAME" : name]: inside };
  }, value);
}

/** How a fault's path names a place: `.contacts[].data` is `contacts[0].data`, or above it for a whole that is held. */
const shownPlace = (place: string, firstItem: string) =>
  place
    .replace(/\[\]/g, firstItem)
    .replace(/\.(\*|<name>).*$/, "")
    .replace(/^\./, "");

function namesField(name: SurfaceName, { body, text }: Answer, place: string): boolean {
  if (name === "resend") return (body as { message?: string }).message !== undefined;
  if (name === "platform") {
    const { errors = {} } = body as { errors?: Record<string, string[]> };
    const field = shownPlace(place, ".0") || "body";
    return Object.keys(errors).some(
      (path) => path === field || path.startsWith(`${field}.`) || field.startsWith(path),
    );
  }
  const { error } = JSON.parse(text) as { error: { code: string; details?: { path: string }[] } };
  const field = shownPlace(place, "[0]");
  if (error.code === "TOO_MANY_EMAILS") return true;
  return (error.details ?? []).some(({ path }) => path === field || path.startsWith(field));
}

/** What of an operation's requests is sent with one too many. */
const askedOf = (operation: AnyOperation) =>
  (["query", "body"] as const).flatMap((io) =>
    requestParts(operation, io)
      .filter(({ place }) => !heldWhole.test(place) && !ignoredNames.test(place))
      .filter(({ most }) => most === Infinity || (most ?? 0) <= longestSent)
      .map((part) => ({ ...part, io })),
  );

describe.each(
  (Object.keys(surfaces) as SurfaceName[]).flatMap((name) =>
    surfaces[name].flatMap((operation) => {
      const asked = askedOf(operation);
      return asked.length > 0 ? [{ surface: name, name: operation.name, operation, asked }] : [];
    }),
  ),
)("$surface $name", ({ surface, operation, asked }) => {
  test("refuses one too many, by name and at once", async () => {
    const wrong: unknown[] = [];
    for (const part of asked) {
      const { io, place } = part;
      const value = tooMuch(part);
      const search = io === "query" ? `${place.slice(1)}=${String(value)}` : "";
      const given = io === "query" ? undefined : bodyWith(place, value);
      const body = decides[operation.name]
        ? { ...decides[operation.name], ...(given as object) }
        : given;
      const sent = ask[surface](operation, search, body);
      const used = cpuClock();
      const answer = await doors.hono(sent);
      const took = used();
      const tooLarge = answer.status === 413 && (part.most ?? 0) > 500_000;
      const isRefused = answer.status === 400 || answer.status === 422;
      if (tooLarge || (isRefused && namesField(surface, answer, place) && took < 1_000)) continue;
      wrong.push([
        io,
        place,
        part.kind,
        answer.status,
        Math.round(took),
        answer.text.slice(0, 200),
      ]);
    }
    expect(wrong).toEqual([]);
  });
});
