import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { mountFor } from "@/lib/doors/http/mounts";
import type { AnyOperation } from "@/lib/doors/http/surface/operation";
import { platformOperations } from "@/lib/doors/http/platform/operations";
import { bearerOperations } from "@/lib/doors/http/v1/operations";
import { makeProject } from "@/lib/testing";
import { platformToken } from "@/lib/testing/platform";
import { doors } from "./doors";

/* A path that is known and a method it does not take: 405, and an Allow that is true. */
const database = useTestDatabase();
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
let authorization: string;
let token: string;

beforeAll(async () => {
  const project = await makeProject(database.db);
  authorization = `Bearer ${project.apiKey}`;
  token = await platformToken(project);
});
beforeEach(() => database.db.execute(sql`delete from rate_limits`));

/** The declared methods of every path, as Allow names them. */
function allowedByPath(operations: readonly AnyOperation[]): [string, string[]][] {
  const byPath = new Map<string, Set<string>>();
  for (const { method, path, aliases = [] } of operations) {
    for (const address of [path, ...aliases]) {
      const methods = byPath.get(address) ?? new Set();
      byPath.set(address, methods.add(method.toUpperCase()));
      if (method === "get") methods.add("HEAD");
    }
  }
  return [...byPath].map(([path, known]) => [path, [...known].sort()]);
}

const allowOf = (headers: Headers) => headers.get("allow")?.split(", ").sort();

describe.each(["hono", "next"] as const)("asked of %s", (door) => {
  test.each(allowedByPath(bearerOperations))("%s takes what it says", async (path, allowed) => {
    for (const method of methods.filter((one) => !allowed.includes(one))) {
      const target = path.replace(/\{\w+\}/g, "nonsense");
      const answer = await doors[door]({ method, path: target, headers: { authorization } });
      expect([method, answer.status, allowOf(answer.headers)]).toEqual([method, 405, allowed]);
      expect(answer.body).toMatchObject({ error: { code: "METHOD_NOT_ALLOWED" } });
    }
  });

  test.each(allowedByPath(platformOperations))(
    "%s of the platform takes what it says",
    async (path, allowed) => {
      for (const method of methods.filter((one) => !allowed.includes(one))) {
        const target = `/api/v1${path.replace(/\{\w+\}/g, "nonsense")}?api_token=${token}`;
        const answer = await doors[door]({ method, path: target });
        expect([method, answer.status, allowOf(answer.headers)]).toEqual([method, 405, allowed]);
        expect(answer.body).toMatchObject({ status: 0 });
      }
    },
  );
});

test("an id in the place of a fixed word is still an id", async () => {
  for (const path of ["/v1/contacts/exports", "/v1/contacts/export.csv", "/v1/segments/field"]) {
    const answer = await doors.hono({ method: "DELETE", path, headers: { authorization } });
    expect(answer.status).toBe(404);
  }
});

test.each([
  ["/t/o/x.gif", ["GET", "HEAD"]],
  ["/t/c/x", ["GET", "HEAD"]],
  ["/t/u/x", ["GET", "HEAD", "POST"]],
  ["/t/preferences/x", ["POST"]],
  ["/t/confirm/x", ["POST"]],
  ["/view/x", ["GET", "HEAD"]],
  ["/files/x/y.png", ["GET", "HEAD"]],
])("%s takes what it says", async (path, allowed) => {
  for (const method of methods.filter((one) => !allowed.includes(one))) {
    const answer = await mountFor(path)?.fetch(new Request(`http://localhost${path}`, { method }));
    expect([method, answer?.status, answer && allowOf(answer.headers)]).toEqual([
      ...[method, 405, allowed],
    ]);
  }
});
