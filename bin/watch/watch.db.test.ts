import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDatabase, database as pool } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { sendEmail } from "@/lib/domain/emails/send";
import { sendInput } from "@/lib/domain/emails/send-schema";
import { runJob } from "@/lib/engine/jobs/jobs";
import { reloadEnv } from "@/lib/ground/env/env";
import { makeProject } from "@/lib/testing";
import { startDatabaseProxy, type DatabaseProxy } from "@/lib/testing/database-proxy";
import { until } from "@/lib/testing/until";
import { validate } from "@/lib/ground/validate";
import { startWatch } from "./server";

const database = useTestDatabase();
let proxy: DatabaseProxy;
let watch: NonNullable<Awaited<ReturnType<typeof startWatch>>>;

beforeAll(async () => {
  proxy = await startDatabaseProxy(database.url);
  await closeDatabase();
  process.env["DATABASE_URL"] = proxy.url;
  process.env["METRICS_PORT"] = "0";
  reloadEnv();
  const opened = await startWatch("worker");
  if (!opened) throw new Error("There is no port to watch at.");
  watch = opened;
});
afterAll(async () => {
  delete process.env["METRICS_PORT"];
  await watch.stop();
  await closeDatabase();
  await proxy.stop();
});

const ask = (path: string, init?: RequestInit) => fetch(`http://${watch.at}${path}`, init);

/** The value of one line of the exposition; null when nobody tells it. */
async function readMetric(line: string): Promise<number | null> {
  const text = await (await ask("/metrics")).text();
  const sample = text.split("\n").find((entry) => entry.startsWith(`${line} `));
  return sample === undefined ? null : Number(sample.slice(line.length));
}

test("nothing is opened without METRICS_PORT", async () => {
  delete process.env["METRICS_PORT"];
  reloadEnv();
  expect(await startWatch("web")).toBeNull();
  process.env["METRICS_PORT"] = "0";
  reloadEnv();
});

test("without the database it tells what the process knows, and no number of what it does not", async () => {
  proxy.leave();
  await until(async () => (await ask("/readyz")).status === 503, { what: "not to be ready" });
  expect((await ask("/healthz")).status).toBe(200);
  expect(await readMetric("process_resident_memory_bytes")).toBeGreaterThan(0);
  for (const name of ['lettermill_queue_emails{lane="campaign"}', "lettermill_mail_held"]) {
    expect(await readMetric(name)).toBeNull();
  }
  proxy.comeBack();
  await until(async () => (await ask("/readyz")).status === 200, { what: "to be ready" });
});

test("what is accepted, waits and is sent is counted, by words of ours alone", async () => {
  const accepted = 'lettermill_emails_accepted_total{source="TRANSACTIONAL"}';
  const before = (await readMetric(accepted)) ?? 0;
  const { ctx } = await makeProject(pool());
  await sendEmail(
    ctx,
    validate(sendInput, {
      from: "shop@sandbox.test",
      to: ["ada@gmail.com", "bob@example.org"],
      subject: "Hello",
      body: "<p>Hello</p>",
    }),
  );
  expect(await readMetric(accepted)).toBe(before + 2);
  await runJob("dispatch", { db: pool(), signal: AbortSignal.timeout(20_000) });
  const attempts = (provider: string) =>
    `lettermill_delivery_attempts_total{transport="capture",provider="${provider}",result="sent"}`;
  expect(await readMetric(attempts("Google"))).toBe(1);
  expect(await readMetric(attempts("other"))).toBe(1);
  const text = await (await ask("/metrics")).text();
  expect(text).not.toMatch(/example\.org|gmail\.com|@/);
  expect(await readMetric("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
  expect(text).toMatch(/^lettermill_database_connections\{state="(active|idle)"\} [1-9]/m);
  expect(text).toMatch(/^lettermill_info\{program="worker",version="[\d.]+",node="v24\./m);
});

test("others than these paths and methods are refused", async () => {
  expect((await ask("/")).status).toBe(404);
  const wrong = await ask("/metrics", { method: "POST" });
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect((await ask("/metrics", { method: "HEAD" })).status).toBe(200);
});
