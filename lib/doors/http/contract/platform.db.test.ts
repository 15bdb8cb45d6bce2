import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { systemContext } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { testWhere } from "@/lib/testing/test-where";
import { makeProject, type TestProject } from "@/lib/testing";
import { platformToken } from "@/lib/testing/platform";
import type { AnyOperation } from "@/lib/doors/http/surface/operation";
import { platformDocument } from "@/lib/doors/http/platform/openapi";
import { platformOperations } from "@/lib/doors/http/platform/operations";
import { Contract, type DocumentedOperation } from "./document";
import { doors, type Answer, type Sent } from "./doors";
import { hostileMembers } from "./hostile";
import { platformExamples, type PlatformExample } from "./platform-examples";
import { roleNames } from "@/db/enums";

const database = useTestDatabase();
const declared = platformOperations as readonly AnyOperation[];
const contract = new Contract(platformDocument());
const prepared = contract.operations.filter(({ name }) => platformExamples[name]);

let own: TestProject;
let otherProject: TestProject;
let token: string;

beforeAll(async () => {
  own = await makeProject(database.db);
  otherProject = await makeProject(database.db);
  token = await platformToken(own);
});
// The limits have tests of their own: in all others nobody is to reach them.
beforeEach(() => database.db.execute(sql`delete from rate_limits`));

const declarationOf = ({ name }: DocumentedOperation) => declared.find((one) => one.name === name);

/** A request to the operation that succeeds; the token stands apart, so that tests can change it. */
async function request(
  operation: DocumentedOperation,
  example: PlatformExample,
  project = own,
): Promise<Sent> {
  const uid = (await example.uid?.(project)) ?? "";
  const query = new URLSearchParams(await example.query?.(project)).toString();
  const path = operation.path.replace(/\{\w+\}/, encodeURIComponent(uid));
  return {
    method: operation.method,
    path: `/api/v1${path}${query && `?${query}`}`,
    ...(example.body ? { body: await example.body(project) } : {}),
  };
}

function withToken(sent: Sent, value: string): Sent {
  const mark = sent.path.includes("?") ? "&" : "?";
  return { ...sent, path: `${sent.path}${mark}api_token=${encodeURIComponent(value)}` };
}

function expectFailure(operation: DocumentedOperation, answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ status: 0, message: expect.any(String) as string });
  expect(contract.faultsOf(operation, answer)).toEqual([]);
  expectHeaders(answer);
}

function expectHeaders(answer: Answer): void {
  expect(answer.headers.get("x-request-id")).toMatch(/^req_[\w-]{16,}$/);
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  for (const name of ["limit", "remaining", "reset"]) {
    expect(answer.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  }
}

test("every operation has an example, and every example an operation", () => {
  expect(Object.keys(platformExamples).sort()).toEqual(declared.map(({ name }) => name).sort());
  expect(contract.operations).toHaveLength(declared.length);
});

describe.each(Object.keys(doors) as (keyof typeof doors)[])("through %s", (door) => {
  const ask = (sent: Sent) => doors[door](sent);
  const send = (sent: Sent) => ask(withToken(sent, token));

  describe.each(prepared)("$method $path", (operation) => {
    const example = platformExamples[operation.name] ?? {};
    const bodySchema = operation.body && contract.resolve(operation.body);
    const statuses = declarationOf(operation)?.successStatuses;

    test("answers as documented, with the token in the query or the header", async () => {
      for (const call of [
        send,
        (sent: Sent) => ask({ ...sent, headers: { authorization: `Bearer ${token}` } }),
      ]) {
        const answer = await call(await request(operation, example));
        expect(statuses).toContain(answer.status);
        expect(contract.faultsOf(operation, answer)).toEqual([]);
        expectHeaders(answer);
      }
    });

    test("refuses a missing, an empty, an unknown and a foreign kind of token", async () => {
      const sent = await request(operation, example);
      expectFailure(operation, await ask(sent), 401);
      for (const wrong of ["", "x", token.slice(1), own.apiKey, "\0", "x".repeat(10_000)]) {
        const answer = await ask(withToken(sent, wrong));
        expectFailure(operation, answer, 401);
        expect(answer.body).toEqual({ status: 0, message: "Unauthenticated." });
      }
    });

    test.each([...roleNames])("as %s does what the role may", async (role) => {
      const member = await makeProject(database.db, { role });
      const owner = { ...member, ctx: systemContext(database.db, member.projectId) };
      const sent = await request(operation, example, owner);
      const answer = await ask(withToken(sent, await platformToken(member)));
      const least = declarationOf(operation)?.access;
      const allowed =
        least !== undefined &&
        least !== "send" &&
        roleNames.indexOf(role) >= roleNames.indexOf(least);
      if (allowed) expect(statuses).toContain(answer.status);
      else expectFailure(operation, answer, 403);
    });

    test("says 429 and when to come back over the limit", async () => {
      const sent = await request(operation, example);
      await send({ method: "GET", path: "/api/v1/lists" });
      await database.db.execute(sql`update rate_limits set used = 1000`);
      const answer = await send(sent);
      expectFailure(operation, answer, 429);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    });

    testWhere(example.unknownUid)(
      "gives the same 404 for an unknown, a malformed and another project's uid",
      async () => {
        const sent = await request(operation, example);
        const foreign = await example.uid?.(otherProject);
        const kinds = [
          foreign,
          example.unknownUid,
          "nonsense",
          encodeId("user", otherProject.userId),
        ];
        const bodies = new Set<string>();
        for (const uid of [...kinds, `${example.unknownUid}0`, "%00", "..%2f..", "𝟏"]) {
          const path = `/api/v1${operation.path.replace("{uid}", uid ?? "")}`;
          const answer = await send({ ...sent, path });
          expectFailure(operation, answer, 404);
          bodies.add(answer.text);
        }
        expect(bodies.size).toBe(1);
      },
    );

    testWhere(bodySchema)("refuses what is no JSON object", async () => {
      const sent = await request(operation, example);
      for (const body of ["{", '{"to":}', "[]", '"x"', "1", "NaN", "\uFEFF{}x", "{'a':1}"]) {
        expectFailure(operation, await send({ ...sent, body }), 422);
      }
    });

    testWhere(bodySchema)("says 400 for a form that breaks off", async () => {
      const sent = await request(operation, example);
      const headers = { "content-type": "multipart/form-data; boundary=x" };
      for (const body of ["", "null", '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb']) {
        expectFailure(operation, await send({ ...sent, headers, body }), 400);
      }
    });

    testWhere(bodySchema)("names the field of a wrong type", async () => {
      const sent = await request(operation, example);
      for (const [name, schema] of Object.entries(bodySchema?.properties ?? {})) {
        const optional = !bodySchema?.required?.includes(name);
        for (const value of contract.wrongValues(schema, optional)) {
          const answer = await send({ ...sent, body: { ...(sent.body as object), [name]: value } });
          expectFailure(operation, answer, 422);
          const { errors } = answer.body as { errors: Record<string, string[]> };
          expect(Object.keys(errors).join(" ")).toContain(name);
        }
      }
    });

    testWhere(bodySchema?.required?.length)("names a required field that is missing", async () => {
      const sent = await request(operation, example);
      for (const name of bodySchema?.required ?? []) {
        const answer = await send({
          ...sent,
          body: { ...(sent.body as object), [name]: undefined },
        });
        expectFailure(operation, answer, 422);
        expect(answer.body).toMatchObject({ errors: { [name]: ["is required"] } });
      }
    });

    testWhere(bodySchema)("refuses text that cannot be stored, and prototypes", async () => {
      const sent = await request(operation, example);
      const whole = JSON.stringify(sent.body);
      for (const member of hostileMembers) {
        const answer = await send({ ...sent, body: whole.replace("{", `{${member},`) });
        expectFailure(operation, answer, 422);
      }
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
    });

    testWhere(bodySchema)("takes the same from a form and from the query", async () => {
      for (const place of ["form", "query"]) {
        const sent = await request(operation, example);
        const fields = new URLSearchParams(flat(sent.body)).toString();
        const { body: _, ...bare } = sent;
        const answer = await send(
          place === "query"
            ? { ...bare, path: `${bare.path}?${fields}` }
            : {
                ...bare,
                body: fields,
                headers: { "content-type": "application/x-www-form-urlencoded" },
              },
        );
        expect(statuses).toContain(answer.status);
        expect(contract.faultsOf(operation, answer)).toEqual([]);
      }
    });

    testWhere(bodySchema)(
      "takes or refuses strings of a million characters, and stays up",
      async () => {
        const sent = await request(operation, example);
        const long = "x".repeat(1_000_000);
        for (const [name, schema] of Object.entries(bodySchema?.properties ?? {})) {
          if (!contract.mayBeText(schema)) continue;
          const answer = await send({ ...sent, body: { ...(sent.body as object), [name]: long } });
          expect([200, 404, 409, 422]).toContain(answer.status);
          expect(contract.faultsOf(operation, answer)).toEqual([]);
          if (answer.status >= 400) expect(answer.text.length).toBeLessThan(5_000);
        }
      },
    );

    testWhere(example.wrongQuery)("names a wrong query parameter", async () => {
      const sent = await request(operation, example);
      for (const wrong of example.wrongQuery ?? []) {
        const url = new URL(`http://x${sent.path}`);
        for (const [name, value] of Object.entries(wrong)) url.searchParams.set(name, value);
        const answer = await send({ ...sent, path: `${url.pathname}${url.search}` });
        expectFailure(operation, answer, 422);
        expect(answer.body).toMatchObject({ errors: { [Object.keys(wrong)[0] ?? ""]: [/./] } });
      }
    });
  });

  test("an unknown path is a JSON 404, a wrong method a JSON 405 that names the right ones", async () => {
    const unknown = await send({ method: "GET", path: "/api/v1/nowhere" });
    expect([unknown.status, unknown.body]).toMatchObject([404, { status: 0 }]);
    for (const path of new Set(contract.operations.map((operation) => operation.path))) {
      const declaredMethods = declared
        .filter((one) => one.path === path)
        .map((one) => one.method.toUpperCase());
      const answer = await send({ method: "PUT", path: `/api/v1${path.replace(/\{\w+\}/, "x")}` });
      expect([answer.status, answer.body]).toMatchObject([405, { status: 0 }]);
      expect(answer.headers.get("allow")?.split(", ")).toEqual(
        expect.arrayContaining(declaredMethods),
      );
    }
  });

  test("the document is served as it is generated, to everyone", async () => {
    const answer = await ask({ method: "GET", path: "/api/v1/openapi.json" });
    expect(answer.status).toBe(200);
    const { paths } = answer.body as { paths: object };
    expect(Object.keys(paths)).toHaveLength(new Set(declared.map(({ path }) => path)).size);
  });
});

/** A JSON body as the fields of a form. */
function flat(value: unknown, name = ""): [string, string][] {
  if (typeof value !== "object" || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, one]) =>
    flat(one, name === "" ? key : `${name}[${key}]`),
  );
}
