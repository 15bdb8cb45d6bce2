import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { close } from "./listen";
import { closeDatabase, connect, database, type Database } from "@/db/client";
import { reloadEnv } from "@/lib/ground/env/env";
import { metrics } from "@/lib/ground/metrics/metrics";
import { closeReplica } from "@/lib/ground/replica";
import { makeProject } from "@/lib/testing";
import { startPrimaryAndStandby } from "@/lib/testing/database-pair";
import { until } from "@/lib/testing/until";
import { startWebServer } from "./test-server";

/* A real standby that follows its primary, and the server that `npm run web` starts, told of both. */

let pair: Awaited<ReturnType<typeof startPrimaryAndStandby>>;
let web: Awaited<ReturnType<typeof startWebServer>>;
let standby: Database;
let apiKey: string;

beforeAll(async () => {
  pair = await startPrimaryAndStandby({ synchronous: false });
  process.env["DATABASE_URL"] = pair.primary.url;
  process.env["DATABASE_READ_URL"] = pair.standby.url;
  reloadEnv();
  ({ apiKey } = await makeProject(database()));
  await database().execute(sql`update projects set requests_per_ten_seconds = 1000000`);
  standby = connect(pair.standby.url, { max: 1, name: "replica test" });
  web = await startWebServer();
}, 120_000);
afterAll(async () => {
  await close(web.server);
  await standby.$client.end({ timeout: 1 });
  await Promise.all([closeReplica(), closeDatabase()]);
  delete process.env["DATABASE_READ_URL"];
  reloadEnv();
  await pair.stop();
}, 120_000);

async function ask<Body>(method: string, path: string, body?: unknown) {
  const response = await fetch(`${web.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

/** Adds a contact and looks for it at once. */
async function seesItsOwnWrite(email: string): Promise<boolean> {
  const made = await ask<{ id: string }>("POST", "/v1/contacts", { email });
  expect(made.status).toBe(201);
  const found = await ask<{ data: { id: string }[] }>("GET", `/v1/contacts?search=${email}`);
  expect(found.status).toBe(200);
  return found.body.data.some(({ id }) => id === made.body.id);
}

/** How many reads ended like that so far. */
async function reads(result: string): Promise<number> {
  const { values } = await metrics.replicaReads.get();
  return values.find(({ labels }) => labels.result === result)?.value ?? 0;
}

test("reads are answered by the replica, which has what was written a moment before", async () => {
  const before = await reads("replica");
  // A machine that has no time for the standby makes it late: the primary answers for two seconds, which this
  // test has for a few times, and not for one read in ten.
  for (let n = 0; (await reads("replica")) < before + 50; n++) {
    expect(await seesItsOwnWrite(`p${n}@example.org`)).toBe(true);
  }
});

test("while the replica is behind, the primary answers, and soon without asking it", async () => {
  await standby.execute(sql`select pg_wal_replay_pause()`);
  const behind = await reads("behind");
  try {
    // Each that asked would wait a quarter of a second for it, and would be counted; after two seconds, one does.
    const began = performance.now();
    for (let n = 0; n < 10; n++) expect(await seesItsOwnWrite(`late${n}@example.org`)).toBe(true);
    const asked = (await reads("behind")) - behind;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(1 + (performance.now() - began) / 2_000);
  } finally {
    await standby.execute(sql`select pg_wal_replay_resume()`);
  }
  const before = await reads("replica");
  await until(async () => {
    await ask("GET", "/v1/contacts");
    return (await reads("replica")) > before;
  });
});

test("while the replica is away, the primary answers; once it is back, it is asked again", async () => {
  await pair.standby.stop();
  for (let n = 0; n < 5; n++) expect(await seesItsOwnWrite(`away${n}@example.org`)).toBe(true);
  await pair.restartStandby();
  const before = await reads("replica");
  let asked = 0;
  await until(
    async () => {
      expect(await seesItsOwnWrite(`back${++asked}@example.org`)).toBe(true);
      return (await reads("replica")) > before;
    },
    { what: "a read on the replica", seconds: 20, everyMilliseconds: 200 },
  );
}, 60_000);

test("an export is audited on the primary and reads the replica", async () => {
  const before = await reads("replica");
  const response = await fetch(`${web.origin}/v1/contacts/export`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  expect(await response.text()).toContain("p0@example.org");
  expect(await reads("replica")).toBeGreaterThan(before);
  const [row] = await database().execute<{ exports: number }>(
    sql`select count(*)::int as exports from audit_log where action = 'export.contacts'`,
  );
  expect(row?.exports).toBe(1);
});
