import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "drizzle-orm";
import { useTestDatabase } from "@/db/testing";
import { openApiDocument } from "@/lib/doors/http/v1/openapi";
import { reloadEnv } from "@/lib/ground/env/env";
import { encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject, type TestProject } from "@/lib/testing";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { Contract, type Schema } from "./document";
import { doors } from "./doors";
import { pathIds, pathWith } from "./example";
import { examples } from "./examples";

/*
 * Bodies name other things by id: a template, a segment, a topic. One that is not there is the caller's mistake,
 * answered as the document says; `POST /v1/forms` once answered 404 where it promised none.
 */
const database = useTestDatabase();
const contract = new Contract(openApiDocument());

const kinds = ["template", "segment", "list", "topic", "domain", "contact", "campaign"] as const;
const unknown = () => ["nonsense", ...kinds.map((kind) => encodeId(kind, newUnownedId()))];

/** The value with this id in the place of what the schema takes: the id itself, or a list of it. */
function naming(schema: Schema, id: string): unknown {
  const { items } = contract.resolve(schema);
  return items ? [id] : id;
}

const references = contract.operations.flatMap((operation) => {
  const properties = operation.body ? contract.resolve(operation.body).properties : undefined;
  return Object.entries(properties ?? {})
    .filter(([name]) => /Ids?$/.test(name))
    .map(([name, schema]) => ({ operation, name, schema, what: `${operation.name}.${name}` }));
});

let own: TestProject;
let dns: DnsServer;
beforeAll(async () => {
  dns = await startDnsServer();
  process.env["DNS_SERVERS"] = dns.address;
  reloadEnv();
  own = await makeProject(database.db);
  await database.db.execute(sql`
    update projects set sends_per_minute = 1000000, requests_per_ten_seconds = 1000000`);
});
beforeEach(() => database.db.execute(sql`delete from rate_limits`));
afterAll(() => dns.stop());

test("bodies name other things in many places", () => {
  expect(references.length).toBeGreaterThan(20);
});

describe.each(references)("$what", ({ operation, name, schema }) => {
  test("is answered as documented where there is no such thing", async () => {
    const example = examples[operation.name] ?? {};
    for (const id of unknown()) {
      const ids = await pathIds(example, own);
      const body = { ...(example.body?.(ids) as object), [name]: naming(schema, id) };
      const answer = await doors.hono({
        method: operation.method,
        path: pathWith(operation.path, ids),
        headers: { ...example.headers, authorization: `Bearer ${own.apiKey}` },
        body,
      });
      expect(answer.status).toBeLessThan(500);
      expect({ id, faults: contract.faultsOf(operation, answer) }).toEqual({ id, faults: [] });
    }
  });
});
