import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "drizzle-orm";
import { useTestDatabase } from "@/db/testing";
import { readsReplica, type AnyOperation } from "@/lib/doors/http/surface/operation";
import { bearerOperations } from "@/lib/doors/http/v1/operations";
import { env, reloadEnv } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { metrics } from "@/lib/ground/metrics/metrics";
import { closeReplica } from "@/lib/ground/replica";
import { makeProject, sessionCookie, type TestProject } from "@/lib/testing";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { until } from "@/lib/testing/until";
import { doors } from "./doors";
import { pathIds, pathWith } from "./example";
import { examples } from "./examples";

/* Connections that may not write stand in for the replica: what writes is refused there, as by a standby. */

const database = useTestDatabase();
const reading = (bearerOperations as readonly AnyOperation[]).filter(readsReplica);
let project: TestProject;
let cookie: string;
let dns: DnsServer;

beforeAll(async () => {
  dns = await startDnsServer();
  process.env["DNS_SERVERS"] = dns.address;
  process.env["DATABASE_READ_URL"] = `${database.url}?default_transaction_read_only=on`;
  reloadEnv();
  project = await makeProject(database.db);
  cookie = await sessionCookie(database.db, project.userId);
});
beforeEach(() => database.db.execute(sql`delete from rate_limits`));
afterAll(async () => {
  await closeReplica();
  delete process.env["DATABASE_READ_URL"];
  reloadEnv();
  await dns.stop();
});

async function readsBy(result: string): Promise<number> {
  const { values } = await metrics.replicaReads.get();
  return values.find(({ labels }) => labels.result === result)?.value ?? 0;
}

test.each(reading.map((operation) => [operation.name, operation] as const))(
  "%s writes nothing, and the replica answers it",
  async (name, { method, path, sessionOnly, successStatuses }) => {
    const example = examples[name] ?? {};
    const ids = await pathIds(example, project);
    const query = new URLSearchParams(example.query).toString();
    const target = pathWith(path, ids) + (query && `?${query}`);
    const [answered, wrote] = [await readsBy("replica"), await readsBy("writes")];
    const ask = () =>
      doors.hono({
        method: method.toUpperCase(),
        path: sessionOnly
          ? `/api/dashboard/${encodeId("project", project.projectId)}${target}`
          : target,
        headers: {
          ...example.headers,
          ...(sessionOnly
            ? { cookie, origin: env().APP_URL }
            : { authorization: `Bearer ${project.apiKey}` }),
        },
        ...(example.body ? { body: example.body(ids) } : {}),
      });
    // On a busy machine the replica is late now and then, and is left alone for two seconds.
    await until(
      async () => {
        expect(successStatuses).toContain((await ask()).status);
        expect(await readsBy("writes")).toBe(wrote);
        return (await readsBy("replica")) === answered + 1;
      },
      { what: "an answer of the replica", everyMilliseconds: 500 },
    );
  },
  20_000,
);
