import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { connect } from "@/db/client";
import { freePort } from "@/db/embedded/free-port";
import { confirmAppSecret } from "@/lib/ground/installation";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { makeCampaign, seedContacts, storedCampaign } from "@/lib/testing/campaigns";
import { startPrimaryAndStandby } from "@/lib/testing/database-pair";
import { startDatabaseProxy } from "@/lib/testing/database-proxy";
import { startMailServer, verifiedDomain } from "@/lib/testing/delivery";
import { until } from "@/lib/testing/until";

/*
 * A primary and a standby that confirms each commit, behind an address that leads to whichever is the
 * primary: what Patroni with HAProxy, or a virtual address, gives. Web and worker are the programs as they
 * are run, and nobody touches them.
 */

const root = fileURLToPath(new URL("../../..", import.meta.url));
const people = 1_500;
const longestRecoverySeconds = 10;
/** What whoever watches the primary takes to be sure that it is gone. */
const noticeMilliseconds = 1_000;

const stops: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** A program of the checkout, stopped with the test. */
function start(script: string, env: Record<string, string>): void {
  const program = spawn(process.execPath, ["--import", "tsx", script], {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: "fatal", ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  stops.push(async () => {
    const ended = new Promise((resolve) => program.once("exit", resolve));
    if (program.exitCode === null && program.signalCode === null) {
      program.kill("SIGKILL");
      await ended;
    }
  });
}

/** Sends one email after another for as long as the test runs; knows which were acknowledged, and when. */
function keepSending(url: string, { apiKey, from }: { apiKey: string; from: string }) {
  const acknowledged: { id: string; at: number }[] = [];
  const statuses = new Set<number>();
  const stop = new AbortController();
  const running = (async () => {
    for (let n = 0; !stop.signal.aborted; n++) {
      const response = await fetch(`${url}/v1/send`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ from, to: `urgent${n}@example.org`, subject: "Now", body: "Now" }),
        signal: AbortSignal.timeout(30_000),
      }).catch(() => null);
      if (response?.status === 200) {
        const { data } = (await response.json()) as { data: { emails: { email: string }[] } };
        const [email] = data.emails;
        acknowledged.push({ id: email?.email ?? "", at: performance.now() });
      } else if (response) {
        statuses.add(response.status);
        await response.arrayBuffer();
      }
      await sleep(50);
    }
  })();
  return {
    acknowledged,
    statuses,
    stop: async () => {
      stop.abort();
      await running;
    },
  };
}

test("a standby takes over in the middle of a campaign: what was acknowledged is there and is sent once, within seconds", async () => {
  const { primary, standby, stop } = await startPrimaryAndStandby({ synchronous: true });
  stops.push(stop);
  const proxy = await startDatabaseProxy(primary.url);
  stops.push(() => proxy.stop());
  const db = connect(proxy.url, { max: 4, name: "failover test" });
  stops.push(() => db.$client.end({ timeout: 1 }));
  await confirmAppSecret(db);
  const { projectId, apiKey } = await makeProject(db);
  await verifiedDomain(db, projectId, "news.example");
  await seedContacts(db, projectId, people);
  const copies = new Map<string, number>();
  const server = await startMailServer({
    onData(stream, { envelope }, callback) {
      const [to] = envelope.rcptTo;
      copies.set(to?.address ?? "", (copies.get(to?.address ?? "") ?? 0) + 1);
      stream.resume();
      stream.on("end", () => setTimeout(callback, 30));
    },
  });
  stops.push(() => server.stop());
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), "lettermill-failover-"));
  stops.push(() => rm(dataDir, { recursive: true, force: true }));
  const env = {
    DATABASE_URL: proxy.url,
    DATA_DIR: dataDir,
    MAIL_TRANSPORT: `${server.url}?connections=5`,
    PORT: String(port),
  };
  start("bin/worker.ts", env);
  start("bench/web.ts", env);
  const from = "shop@news.example";
  const sending = keepSending(`http://127.0.0.1:${port}`, { apiKey, from });
  stops.push(() => sending.stop());
  await until(() => sending.acknowledged.length > 0, { what: "the first answer", seconds: 30 });
  const campaign = await makeCampaign(db, { projectId, fromEmail: from });
  await until(() => copies.size > people / 4, { what: "a quarter of the campaign", seconds: 60 });

  const died = performance.now();
  process.kill(primary.pid, "SIGKILL");
  await primary.ended;
  await sleep(noticeMilliseconds);
  const direct = connect(standby.url, { max: 1, name: "failover test" });
  stops.push(() => direct.$client.end({ timeout: 1 }));
  await direct.execute(sql`select pg_promote(true, 30)`);
  proxy.leadTo(standby.url);
  expect(copies.size).toBeLessThan(people);

  const first = await until(() => sending.acknowledged.find(({ at }) => at > died + 500), {
    what: "an answer from the new primary",
    seconds: 30,
  });
  expect((first.at - died) / 1_000).toBeLessThan(longestRecoverySeconds);
  await until(async () => (await storedCampaign(db, campaign)).status === "SENT", {
    what: "the end of the campaign",
    seconds: 60,
    everyMilliseconds: 200,
  });
  await sending.stop();
  const ids = sending.acknowledged.map(({ id }) => decodeId("email", id) ?? "");
  await until(
    async () => {
      const [row] = await db.execute<{ sent: number }>(
        sql`select count(*)::int as sent from emails where id = any(${sql.param(ids)}::uuid[]) and status = 'SENT'`,
      );
      return row?.sent === ids.length;
    },
    { what: "all that was acknowledged, sent", seconds: 30, everyMilliseconds: 200 },
  );
  expect(await storedCampaign(db, campaign)).toMatchObject({
    people,
    by_status: { SENT: people },
    figures: { settled: people, sent: people },
  });
  const readers = [...copies].filter(([to]) => to.startsWith("p"));
  expect(readers).toHaveLength(people);
  expect([...copies].filter(([, number]) => number > 1)).toEqual([]);
  // What was not acknowledged was refused as what may be tried again.
  expect([...sending.statuses].filter((status) => status !== 503)).toEqual([]);
}, 180_000);
