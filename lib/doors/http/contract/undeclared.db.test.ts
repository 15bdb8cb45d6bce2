import { sql } from "drizzle-orm";
import type { z } from "zod";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { systemContext } from "@/lib/ground/context";
import { env, reloadEnv } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { boundOf, branchesOf, definitionOf } from "@/lib/ground/schema-walk";
import { makeProject, sessionCookie, type TestProject } from "@/lib/testing";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import type { AnyOperation } from "@/lib/doors/http/surface/operation";
import { openApiDocument } from "@/lib/doors/http/v1/openapi";
import { bearerOperations } from "@/lib/doors/http/v1/operations";
import { Contract, type Schema } from "./document";
import { doors, type Sent } from "./doors";
import { pathIds, pathWith } from "./example";
import { examples } from "./examples";

/*
 * What an operation of the bearer surface does not declare is refused: `segment_id` once sent a campaign to
 * everybody, `scheduled_at` sent it at once.
 */
const database = useTestDatabase();
const operations = bearerOperations as readonly AnyOperation[];
type Walked = Parameters<typeof branchesOf>[0];

/** Every object and array that a schema reads, each once, with its place. */
function* partsOf(
  schema: Walked,
  place: string,
  seen = new Set<Walked>(),
): Generator<[string, Walked]> {
  for (const branch of branchesOf(schema)) {
    if (seen.has(branch)) continue;
    seen.add(branch);
    const { shape, element } = definitionOf(branch);
    if (shape ?? element) yield [place, branch];
    if (element) yield* partsOf(element, `${place}[]`, seen);
    for (const [name, member] of Object.entries(shape ?? {})) {
      yield* partsOf(member, `${place}.${name}`, seen);
    }
  }
}

const parts = operations.flatMap(({ name, query, body }) =>
  [query, body].flatMap((schema) => (schema ? [...partsOf(schema, name)] : [])),
);

test("every object of every query and body takes declared members only", () => {
  const objects = parts.filter(([, part]) => definitionOf(part).shape);
  const open = objects.filter(([, part]) => {
    const { catchall } = part._zod.def as { catchall?: Walked };
    return catchall?._zod.def.type !== "never";
  });
  expect(objects.length).toBeGreaterThan(40);
  expect(open.map(([place]) => place)).toEqual([]);
});

test("every array of every body has a bound", () => {
  const arrays = parts.filter(([, part]) => definitionOf(part).element);
  expect(arrays.length).toBeGreaterThan(8);
  // Of a batch the items are counted before they are read, under a code of their own.
  const unbounded = arrays.filter(([, part]) => !boundOf(part)).map(([place]) => place);
  expect(unbounded).toEqual(["sendBatch.emails", "sendBatch"]);
});

test("the document says so of every object in a body", () => {
  const contract = new Contract(openApiDocument());
  const open: string[] = [];
  const seen = new Set<Schema>();
  const visit = (schema: Schema, place: string): void => {
    const resolved = contract.resolve(schema);
    if (seen.has(resolved)) return;
    seen.add(resolved);
    if (resolved.properties && resolved.additionalProperties !== false) open.push(place);
    for (const [name, member] of Object.entries(resolved.properties ?? {})) {
      visit(member, `${place}.${name}`);
    }
    const inside = [resolved.anyOf, resolved.oneOf, resolved.allOf, resolved.items].flat();
    for (const part of inside) if (part) visit(part, place);
  };
  for (const { name, body } of contract.operations) if (body) visit(body, name);
  expect(seen.size).toBeGreaterThan(30);
  expect(open).toEqual([]);
});

let project: TestProject;
let cookie: string;
let dns: DnsServer;
async function enterProject(): Promise<void> {
  project = await makeProject(database.db);
  cookie = await sessionCookie(database.db, project.userId);
}

beforeAll(async () => {
  dns = await startDnsServer();
  process.env["DNS_SERVERS"] = dns.address;
  reloadEnv();
  await enterProject();
});
beforeEach(() => database.db.execute(sql`delete from rate_limits`));
afterAll(() => dns.stop());

/** A request of the dashboard, which may do what keys may and more. */
async function request({ name, method, path }: AnyOperation): Promise<Sent & { path: string }> {
  const example = examples[name] ?? {};
  const { query, headers, body } = example;
  // As the product itself has it prepared, what belongs to somebody is the member's whose session asks.
  const ctx = systemContext(database.db, project.projectId);
  const ids = await pathIds(example, { ...project, ctx });
  const target = pathWith(path, ids);
  const search = new URLSearchParams(query).toString();
  return {
    method: method.toUpperCase(),
    path: `/api/dashboard/${encodeId("project", project.projectId)}${target}${search && `?${search}`}`,
    headers: { ...headers, cookie, origin: env().APP_URL },
    ...(body ? { body: body(ids) } : {}),
  };
}

async function refusal(sent: Sent) {
  const { status, body } = await doors.hono(sent);
  const { error } = body as {
    error?: { code: string; message: string; details?: { path: string }[] };
  };
  return { status, code: error?.code, paths: error?.details?.map(({ path }) => path) };
}

const refused = (path: string) => ({ status: 400, code: "VALIDATION_ERROR", paths: [path] });

/** Null has a meaning of its own in some members: there it clears them. */
const takesAbsenceOnly = (member: z.ZodType) =>
  member.safeParse(undefined).success && !member.safeParse(null).success;

/** The names of a body's optional members. */
function optionalMembers({ body }: AnyOperation): string[] {
  return (body ? branchesOf(body) : []).flatMap((branch) =>
    Object.entries(definitionOf(branch).shape ?? {})
      .filter(([, member]) => takesAbsenceOnly(member as z.ZodType))
      .map(([name]) => name),
  );
}

describe.each(operations.map((operation) => ({ name: operation.name, operation })))(
  "$name",
  ({ operation }) => {
    // After these there is no project to go on in, or a password that is asked for from then on.
    if (["deleteProject", "leaveProject", "changePassword"].includes(operation.name)) {
      afterEach(enterProject);
    }

    test("refuses a parameter that is not declared", async () => {
      const sent = await request(operation);
      const path = `${sent.path}${sent.path.includes("?") ? "&" : "?"}unforeseen=1`;
      expect(await refusal({ ...sent, path })).toEqual(refused("unforeseen"));
    });

    const takesJson = operation.method !== "get" && !operation.upload;
    if (!takesJson) return;
    test("refuses a member that is not declared, and does nothing", async () => {
      const sent = await request(operation);
      const body = { ...(sent.body as object | undefined), unforeseen: null };
      expect(await refusal({ ...sent, body })).toEqual(refused("unforeseen"));
      const done = await doors.hono(sent);
      expect(operation.successStatuses).toContain(done.status);
    });

    const optional = optionalMembers(operation);
    if (optional.length === 0) return;
    test("takes null for an optional member that is not given", async () => {
      const sent = await request(operation);
      const nulls = Object.fromEntries(optional.map((name) => [name, null]));
      const body = { ...nulls, ...(sent.body as object | undefined) };
      expect(operation.successStatuses).toContain((await doors.hono({ ...sent, body })).status);
    });
  },
);

describe("what nearly happened", () => {
  const post = (path: string, body: unknown) =>
    doors.hono({
      method: "POST",
      path,
      headers: { authorization: `Bearer ${project.apiKey}` },
      body,
    });
  const mail = { to: "a@example.com", from: "hello@sandbox.test", subject: "x", body: "y" };

  test.each([
    ["/v1/send", { ...mail, scheduled_at: "2030-01-01T00:00:00Z" }, "scheduled_at", "scheduledAt"],
    [
      "/v1/campaigns",
      { name: "x", incomplete: true, segment_id: "seg_x" },
      "segment_id",
      "segmentId",
    ],
    ["/v1/contacts", { email: "a@example.com", unsubscribe: true }, "unsubscribe", "unsubscribed"],
    ["/v1/api-keys", { name: "x", permission: "sending_access" }, "permission", "scope"],
    [
      "/v1/contacts/bulk",
      { contacts: [{ email: "a@b.example", first_name: "A" }] },
      "contacts[0].first_name",
      "firstName",
    ],
    [
      "/v1/emails/batch",
      { emails: [mail, { ...mail, reply_to: "a@b.example" }] },
      "emails[1].reply_to",
      "replyTo",
    ],
    [
      "/v1/segments",
      { name: "x", filter: { and: [{ feild: "email", op: "eq", value: "x" }] } },
      "filter.and[0].feild",
      "field",
    ],
    [
      "/v1/send",
      { ...mail, attachments: [{ name: "a.txt", filename: "a", content: "YQ==" }] },
      "attachments[0].name",
      "filename",
    ],
  ])("%s: %j names %s and %s", async (path, body, place, nearest) => {
    const answer = await post(path, body);
    expect(answer.status).toBe(400);
    const { error } = answer.body as { error: { details: { path: string; message: string }[] } };
    expect(error.details[0]?.path).toBe(place);
    expect(error.details[0]?.message).toContain(nearest);
  });

  test("null is absent on optional fields, also of a batch", async () => {
    const nulls = { replyTo: null, headers: null, attachments: null, scheduledAt: null, cc: null };
    expect((await post("/v1/send", { ...mail, ...nulls })).status).toBe(200);
    expect((await post("/v1/emails/batch", [{ ...mail, ...nulls }])).status).toBe(200);
    expect((await post("/v1/contacts", { email: "n@example.com", tags: null })).status).toBe(201);
    const { body } = await post("/v1/contacts", { email: "n@example.com", data: { a: 1, b: 2 } });
    expect((body as { data: object }).data).toEqual({ a: 1, b: 2 });
    const removed = await post("/v1/contacts", { email: "n@example.com", data: { a: null } });
    expect((removed.body as { data: object }).data).toEqual({ b: 2 });
  });
});
