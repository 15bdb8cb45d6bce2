import { sql } from "drizzle-orm";
import { build } from "@/bin/start/build";
import { root } from "@/bin/start/root";
import { encodeId } from "@/lib/ground/ids/ids";
import { bootstrap } from "@/lib/domain/projects/bootstrap";
import type { LoadResult } from "./load";
import type { BenchRow } from "./row";
import { load, startStand, untilReady, type Stand } from "./stand";
import { freePort } from "@/db/embedded/free-port";

const connections = 32;
const rounds = 2;
const html = `<p>Good that you are here.</p>${"<p>Set, inked and pressed.</p>".repeat(30)}`;

const message = (to: string) => ({
  from: "hello@sandbox.test",
  to,
  subject: "Welcome",
  body: html,
});
const single = JSON.stringify(message("person{n}@example.com"));
const batch = JSON.stringify({
  emails: Array.from({ length: 100 }, () => message("person{n}@example.com")),
});

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const rate = ({ requests, seconds }: LoadResult) => requests / seconds;

/** Accepting email over HTTP: single sends against a bare server, and batches of 100. */
export async function run(): Promise<BenchRow[]> {
  await build(root);
  const stand = await startStand();
  try {
    const access = await bootstrap(stand.db, { email: "owner@example.com" });
    await stand.db.execute(sql`
      update projects set sends_per_minute = 100000000, requests_per_ten_seconds = 100000000`);
    const [ours, bare] = [await freePort(), await freePort()];
    await untilReady(stand.run("bin/web.ts", [], { PORT: String(ours), NODE_ENV: "production" }));
    await untilReady(stand.run("bench/floor.ts", [], { PORT: String(bare) }));
    const order = { key: access.apiKey, connections, warmUpMs: 2000, measureMs: 6000 };

    const floor: LoadResult[] = [];
    const accept: LoadResult[] = [];
    for (let round = 0; round < rounds; round++) {
      floor.push(await load(stand, { ...order, port: bare, path: "/", body: single }));
      accept.push(await load(stand, { ...order, port: ours, path: "/v1/send", body: single }));
    }
    const batches = await load(stand, {
      ...order,
      connections: 4,
      port: ours,
      path: "/v1/emails/batch",
      body: batch,
    });
    await confirm(stand, access.projectId, accept, batches);

    const [accepted, possible] = [mean(accept.map(rate)), mean(floor.map(rate))];
    const batched = rate(batches) * 100;
    return [
      {
        what: "accept, one email a request, 32 connections (floor: a bare two-row insert)",
        unit: "emails/s",
        figure: accepted,
        floor: possible,
        ratio: accepted / possible,
        goal: { leastRatio: 1 },
      },
      {
        what: "accept, the 99th percentile of the same requests",
        unit: "ms",
        figure: mean(accept.map(({ p99Ms }) => p99Ms)),
        floor: mean(floor.map(({ p99Ms }) => p99Ms)),
        ratio: null,
        goal: { most: 60 },
      },
      {
        what: "accept in batches of 100",
        unit: "emails/s",
        figure: batched,
        floor: possible,
        ratio: batched / possible,
        goal: { least: 10_000 },
      },
    ];
  } finally {
    await stand.stop();
  }
}

/** Whatever was answered with 200 is there: a fast answer without a row would be worth nothing. */
async function confirm(
  stand: Stand,
  projectId: string,
  singles: LoadResult[],
  batches: LoadResult,
): Promise<void> {
  const answered =
    singles.reduce((sum, { requests }) => sum + requests, 0) + batches.requests * 100;
  const [row] = await stand.db.execute<{ emails: string; projects: string[] }>(sql`
    select count(*) as emails, array_agg(distinct project_id) as projects from emails`);
  const kept = Number(row?.emails);
  const owners = (row?.projects ?? []).map((uuid) => encodeId("project", uuid));
  if (kept < answered || owners.join() !== projectId) {
    throw new Error(`${answered} emails were answered, ${kept} are there.`);
  }
}
