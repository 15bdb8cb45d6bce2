import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import { useTestDatabase } from "@/db/testing";
import { createApiKey, deleteApiKey, mintKey } from "@/lib/domain/api-keys/api-keys";
import { systemContext } from "@/lib/ground/context";
import { env, reloadEnv } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { testWhere } from "@/lib/testing/test-where";
import { makeProject, sessionCookie, type TestProject } from "@/lib/testing";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import type { AnyOperation } from "@/lib/doors/http/surface/operation";
import { openApiDocument } from "@/lib/doors/http/v1/openapi";
import { bearerOperations } from "@/lib/doors/http/v1/operations";
import { Contract, type DocumentedOperation } from "./document";
import { doors, type Answer, type Sent } from "./doors";
import { pathIds, pathWith, type Example } from "./example";
import { examples } from "./examples";
import { hostileMembers } from "./hostile";
import { type Role, roleNames } from "@/db/enums";

const database = useTestDatabase();
const declared = bearerOperations as readonly AnyOperation[];
const contract = new Contract(openApiDocument());
const faultsOf = (operation: DocumentedOperation, answer: Answer) =>
  contract.faultsOf(operation, answer);
const operations = contract.operations.map((operation) => ({
  ...operation,
  declared: declared.find(({ name }) => name === operation.name),
}));
type Operation = (typeof operations)[number];
// One that lacks an example fails a test of its own, and only that.
const prepared = operations.filter(({ name }) => examples[name]);
const preparedToo = declared.filter(({ name }) => examples[name]);

let own: TestProject;
let otherProject: TestProject;
let dns: DnsServer;

/** The limits have tests of their own: in all others nobody is to reach them. */
async function liftLimits(): Promise<void> {
  await database.db.execute(sql`
    update projects set sends_per_minute = 1000000, requests_per_ten_seconds = 1000000`);
}

beforeAll(async () => {
  dns = await startDnsServer();
  process.env["DNS_SERVERS"] = dns.address;
  reloadEnv();
  own = await makeProject(database.db);
  otherProject = await makeProject(database.db);
  await liftLimits();
});
beforeEach(() => database.db.execute(sql`delete from rate_limits`));
afterAll(() => dns.stop());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** A request to the operation that succeeds with a full key. */
async function request(operation: Operation, example: Example, project = own): Promise<Sent> {
  const ids = await pathIds(example, project);
  const query = new URLSearchParams(example.query).toString();
  return {
    method: operation.method,
    path: pathWith(operation.path, ids) + (query && `?${query}`),
    headers: { ...example.headers, ...bearer(own.apiKey) },
    ...(example.body ? { body: example.body(ids) } : {}),
  };
}

function codeOf(answer: Answer): unknown {
  return (answer.body as { error?: { code?: unknown } } | undefined)?.error?.code;
}

function expectError(operation: Operation, answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, code: codeOf(answer) }).toEqual({ status, code });
  expect(faultsOf(operation, answer)).toEqual([]);
  expectHeaders(answer);
}

function expectHeaders(answer: Answer): void {
  expect(answer.headers.get("x-request-id")).toMatch(/^req_[\w-]{16,}$/);
  for (const name of ["limit", "remaining", "reset"]) {
    expect(answer.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  }
}

/** An answer without what differs between two requests. */
function anonymous(answer: Answer): string {
  const { requestId, ...rest } = answer.body as Record<string, unknown>;
  expect(requestId).toBe(answer.headers.get("x-request-id"));
  return JSON.stringify(rest);
}

test("every operation has an example, and every example an operation", () => {
  expect(Object.keys(examples).sort()).toEqual(declared.map(({ name }) => name).sort());
});

test("the document shows what keys may do and nothing else", () => {
  const open = declared.filter(({ sessionOnly }) => !sessionOnly).map(({ name }) => name);
  expect(operations.map(({ name }) => name).sort()).toEqual(open.sort());
});

describe.each(Object.keys(doors) as (keyof typeof doors)[])("through %s", (door) => {
  const ask = (sent: Sent) => doors[door](sent);

  describe.each(prepared)("$method $path", (operation) => {
    const example = examples[operation.name] ?? {};
    const bodySchema = operation.body && contract.resolve(operation.body);

    test("answers as documented", async () => {
      const answer = await ask(await request(operation, example));
      expect(operation.declared?.successStatuses).toContain(answer.status);
      expect(faultsOf(operation, answer)).toEqual([]);
      expectHeaders(answer);
    });

    test("answers without /v1 and with a trailing slash too", async () => {
      for (const change of [
        (path: string) => path.replace("/v1/", "/"),
        (path: string) => path.replace(/(?=\?|$)/, "/"),
      ]) {
        const sent = await request(operation, example);
        // Next's own route is below /v1: rewrites bring the short form there.
        const path = change(sent.path);
        const answer = await doors.hono({ ...sent, path });
        expect(operation.declared?.successStatuses).toContain(answer.status);
      }
    });

    test("refuses a missing, an unknown, a malformed and a revoked key", async () => {
      const sent = await request(operation, example);
      expectError(operation, await ask({ ...sent, headers: {} }), 401, "MISSING_AUTH");
      const revoked = await createApiKey(own.ctx, { name: "Old", scope: "full", mode: "live" });
      await deleteApiKey(own.ctx, revoked.id);
      for (const key of [mintKey("live"), "sk_live_short", "", revoked.key]) {
        const answer = await ask({ ...sent, headers: bearer(key) });
        expectError(operation, answer, 401, "INVALID_API_KEY");
      }
    });

    test("lets a sending key do no more than send", async () => {
      const { key } = await createApiKey(own.ctx, { name: "S", scope: "sending", mode: "live" });
      const answer = await ask({ ...(await request(operation, example)), headers: bearer(key) });
      if (operation.declared?.access === "send") expect(answer.status).toBe(200);
      else expectError(operation, answer, 403, "NOT_ALLOWED");
    });

    test("says 429 and when to come back over the limit", async () => {
      const key = await createApiKey(own.ctx, { name: "Slow", scope: "full", mode: "live" });
      await database.db.execute(sql`
        update api_keys set sends_per_minute = 1, requests_per_ten_seconds = 1
        where last4 = ${key.last4} and name = 'Slow'`);
      const headers = { ...example.headers, ...bearer(key.key) };
      const first = await ask({ ...(await request(operation, example)), headers });
      expect(operation.declared?.successStatuses).toContain(first.status);
      const second = await ask({ ...(await request(operation, example)), headers });
      expectError(operation, second, 429, "RATE_LIMIT_EXCEEDED");
      const seconds = Number(second.headers.get("retry-after"));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(operation.declared?.rate === "send" ? 60 : 10);
    });

    testWhere(operation.path.includes("{id}"))(
      "gives the same 404 for an unknown, a malformed and another project's id",
      async () => {
        const sent = await request(operation, example);
        const ids = await pathIds(example, own);
        const foreign = await pathIds(example, otherProject);
        const kinds = [
          foreign.id,
          example.unknownId,
          "nonsense",
          encodeId("user", otherProject.userId),
        ];
        const bodies = new Set<string>();
        for (const id of [...kinds, `${example.unknownId}0`, "%00", "..%2f..", "𝟏"]) {
          const path = pathWith(operation.path, { ...ids, id: id ?? "" });
          const answer = await ask({ ...sent, path });
          expectError(operation, answer, 404, "NOT_FOUND");
          bodies.add(anonymous(answer));
        }
        expect(bodies.size).toBe(1);
        const answer = await doors.hono({
          ...(await request(operation, example, otherProject)),
          headers: bearer(otherProject.apiKey),
        });
        expect(operation.declared?.successStatuses).toContain(answer.status);
      },
    );

    testWhere(bodySchema)("refuses what is not JSON, or no body at all", async () => {
      const sent = await request(operation, example);
      const none = operation.declared?.bodyOptional ? [] : [""];
      const texts = [
        ...none,
        " ",
        "{",
        '{"to":}',
        "to=ada@example.com",
        "\uFEFF{}x",
        "NaN",
        "{'a':1}",
      ];
      for (const body of texts) {
        expectError(operation, await ask({ ...sent, body }), 400, "VALIDATION_ERROR");
      }
    });

    testWhere(bodySchema)("refuses bodies of another type", async () => {
      const sent = await request(operation, example);
      for (const value of contract.wrongValues(bodySchema ?? {})) {
        const answer = await ask({ ...sent, body: JSON.stringify(value) });
        expectError(operation, answer, 400, "VALIDATION_ERROR");
      }
    });

    testWhere(bodySchema?.properties)("names the field of a wrong type", async () => {
      const sent = await request(operation, example);
      let tried = 0;
      for (const [name, schema] of Object.entries(bodySchema?.properties ?? {})) {
        const optional = !bodySchema?.required?.includes(name);
        for (const value of contract.wrongValues(schema, optional)) {
          const answer = await ask({ ...sent, body: { ...(sent.body as object), [name]: value } });
          expectError(operation, answer, 400, "VALIDATION_ERROR");
          const { error } = answer.body as { error: { details: { path: string }[] } };
          expect(error.details.map(({ path }) => path).join(" ")).toContain(name);
          tried++;
        }
      }
      expect(tried).toBeGreaterThan(0);
    });

    testWhere(bodySchema?.required?.length)("names a required field that is missing", async () => {
      const sent = await request(operation, example);
      for (const name of bodySchema?.required ?? []) {
        const body = { ...(sent.body as object), [name]: undefined };
        const answer = await ask({ ...sent, body });
        expectError(operation, answer, 400, "VALIDATION_ERROR");
        expect(answer.text).toContain(name);
      }
    });

    testWhere(bodySchema)("refuses text that cannot be stored, and prototypes", async () => {
      const sent = await request(operation, example);
      const whole = JSON.stringify(sent.body);
      for (const member of hostileMembers) {
        const body = whole.replace("{", `{${member},`);
        expectError(operation, await ask({ ...sent, body }), 400, "VALIDATION_ERROR");
      }
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
    });

    testWhere(bodySchema?.properties)(
      "takes or refuses strings of a million characters, and stays up",
      async () => {
        const sent = await request(operation, example);
        const long = "x".repeat(1_000_000);
        for (const [name, schema] of Object.entries(bodySchema?.properties ?? {})) {
          if (!contract.mayBeText(schema)) continue;
          const answer = await ask({ ...sent, body: { ...(sent.body as object), [name]: long } });
          expect([200, 201, 400, 404]).toContain(answer.status);
          expect(faultsOf(operation, answer)).toEqual([]);
          // The answer to a long value names it, it does not repeat it.
          if (answer.status >= 400) expect(answer.text.length).toBeLessThan(5_000);
        }
      },
    );

    const typed = operation.parameters.filter(
      ({ in: where, schema }) =>
        where === "query" && (schema.enum || [schema.type].flat().includes("integer")),
    );
    testWhere(typed.length > 0 || example.wrongQuery)("names a wrong query parameter", async () => {
      const sent = await request(operation, example);
      const wrong = [
        ...typed.flatMap(({ name }) => [{ [name]: "nonsense" }, { [name]: "1e999" }]),
        ...(example.wrongQuery ?? []),
      ];
      for (const query of wrong) {
        const path = `${sent.path.split("?")[0]}?${new URLSearchParams(query).toString()}`;
        const answer = await ask({ ...sent, path });
        expectError(operation, answer, 400, "VALIDATION_ERROR");
        expect(answer.text).toContain(Object.keys(query)[0]);
      }
    });
  });

  describe.each(preparedToo.map((one) => ({ name: one.name, one })))(
    "a session, $name",
    ({ one }) => {
      test.each([...roleNames])("as %s does what the role may", async (role: Role) => {
        const member = await makeProject(database.db, { role });
        await liftLimits();
        const example = examples[one.name] ?? {};
        const owner = { ...member, ctx: systemContext(database.db, member.projectId) };
        // What is to be done in the session itself is prepared in it.
        const cookie = await sessionCookie(database.db, member.userId);
        const ids = await pathIds(example, owner);
        const project = encodeId("project", member.projectId);
        const query = new URLSearchParams(example.query).toString();
        const sent: Sent = {
          method: one.method.toUpperCase(),
          path: `/api/dashboard/${project}${pathWith(one.path, ids)}${query && `?${query}`}`,
          headers: {
            ...example.headers,
            cookie,
            origin: env().APP_URL,
          },
          ...(example.body ? { body: example.body(ids) } : {}),
        };
        const least: Role = one.access === "send" ? "editor" : one.access;
        const allowed = roleNames.indexOf(role) >= roleNames.indexOf(least);
        const documentedOne = operations.find(({ name }) => name === one.name);

        const answer = await ask(sent);
        if (allowed) expect(one.successStatuses).toContain(answer.status);
        else expect([answer.status, codeOf(answer)]).toEqual([403, "NOT_ALLOWED"]);
        if (documentedOne) expect(faultsOf(documentedOne, answer)).toEqual([]);
        else if (allowed) {
          const schema: z.ZodType | undefined = one.answer;
          expect(schema?.safeParse(answer.body).error).toBeUndefined();
        }
        expectHeaders(answer);

        const stranger = await ask({
          ...sent,
          headers: {
            ...sent.headers,
            cookie: await sessionCookie(database.db, otherProject.userId),
          },
        });
        expect([stranger.status, codeOf(stranger)]).toEqual([404, "NOT_FOUND"]);
        const nobody = await ask({ ...sent, headers: { origin: env().APP_URL } });
        expect([nobody.status, codeOf(nobody)]).toEqual([401, "MISSING_AUTH"]);
        if (one.method !== "get") {
          const headers = { ...sent.headers, origin: "https://elsewhere.example" };
          const forged = await ask({ ...sent, headers });
          expect([forged.status, codeOf(forged)]).toEqual([403, "NOT_ALLOWED"]);
        }
      });
    },
  );

  test.each(
    declared
      .filter(({ sessionOnly }) => sessionOnly)
      .map(({ name, ...rest }) => ({ name, ...rest })),
  )("$name is refused to keys", async ({ name, method, path }) => {
    const answer = await ask({
      method: method.toUpperCase(),
      path: pathWith(path, { id: examples[name]?.unknownId ?? "nonsense" }),
      headers: bearer(own.apiKey),
      ...(examples[name]?.body ? { body: examples[name].body({ id: "nonsense" }) } : {}),
    });
    expect([answer.status, codeOf(answer)]).toEqual([403, "NOT_ALLOWED"]);
  });

  test("an unknown path is a JSON 404, a wrong method a JSON 405 that names the right ones", async () => {
    const unknown = await ask({ method: "GET", path: "/v1/nowhere", headers: bearer(own.apiKey) });
    expect([unknown.status, codeOf(unknown)]).toEqual([404, "NOT_FOUND"]);
    expectHeaders(unknown);
    for (const path of new Set(operations.map((operation) => operation.path))) {
      const declaredMethods = declared
        .filter((one) => one.path === path)
        .map((one) => one.method.toUpperCase());
      const method = ["GET", "POST", "PUT", "PATCH", "DELETE"].find(
        (one) => !declaredMethods.includes(one),
      );
      // An operation with a parameter may answer in another's place: /v1/emails/batch is also an id.
      const answer = await ask({
        method: method ?? "PUT",
        path: path.replace("{id}", "nonsense"),
        headers: bearer(own.apiKey),
      });
      if (answer.status === 404) continue;
      expect([answer.status, codeOf(answer)]).toEqual([405, "METHOD_NOT_ALLOWED"]);
      expect(answer.headers.get("allow")?.split(", ")).toEqual(
        expect.arrayContaining(declaredMethods),
      );
    }
  });

  test("the document is served as it is generated", async () => {
    const answer = await ask({ method: "GET", path: "/v1/openapi.json" });
    expect(answer.status).toBe(200);
    expect(Object.keys((answer.body as { paths: object }).paths).length).toBeGreaterThan(5);
  });
});
