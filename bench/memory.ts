import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { freePort } from "@/db/embedded/free-port";
import { createApiKey } from "@/lib/domain/api-keys/api-keys";
import { bootstrap } from "@/lib/domain/projects/bootstrap";
import { systemContext } from "@/lib/ground/context";
import { decodeId } from "@/lib/ground/ids/ids";
import type { BenchRow } from "./row";
import { startStand, untilReady, type Stand } from "./stand";

const sends = 40;
const recipients = 100;

/** The most memory that the process has held so far, in MB. */
function peakOf({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

function message(megabytes: number, to: string[]): Buffer {
  const content = Buffer.alloc(megabytes * 1_000_000, "a message in bytes ").toString("base64");
  // Bytes: text would be encoded anew for each request, and the load would hold itself up.
  return Buffer.from(
    JSON.stringify({
      from: "hello@sandbox.test",
      to,
      subject: "Papers",
      body: "<p>Enclosed.</p>",
      attachments: [{ filename: "papers.bin", content }],
    }),
  );
}

interface Answered {
  status: number;
  milliseconds: number;
}

async function post(port: number, key: string, body: Buffer): Promise<Answered> {
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/v1/send`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.length),
  });
  await response.arrayBuffer();
  return { status: response.status, milliseconds: performance.now() - started };
}

/** Sends small mail, one after the other, until `work` is done; resolves to the answers. */
async function beside(work: Promise<unknown>, send: () => Promise<Answered>): Promise<Answered[]> {
  const answers: Answered[] = [];
  const state = { done: false };
  void work.finally(() => (state.done = true));
  while (!state.done) {
    answers.push(await send());
    await sleep(50);
  }
  return answers;
}

const worst = (answers: Answered[]) => Math.max(0, ...answers.map((one) => one.milliseconds));

async function measureWeb(
  stand: Stand,
  web: ChildProcess,
  ask: (key: "large" | "small", body: Buffer) => Promise<Answered>,
): Promise<BenchRow[]> {
  const before = peakOf(web);
  const body = message(25, ["ada@sandbox.test"]);
  const small = message(0, ["ada@sandbox.test"]);
  const large = Promise.all(Array.from({ length: sends }, () => ask("large", body)));
  const others = await beside(large, () => ask("small", small));
  const answers = await large;
  const refused = answers.filter(({ status }) => status === 503).length;
  if (answers.some(({ status }) => status !== 200 && status !== 503)) {
    throw new Error(`Answers: ${answers.map(({ status }) => status).join()}`);
  }
  if (others.some(({ status }) => status !== 200)) throw new Error("Another was refused.");
  const row = (what: string, unit: string, figure: number, most: number): BenchRow => {
    return { what, unit, figure, floor: null, ratio: null, goal: { most } };
  };
  return [
    row(
      `web: resident at most, ${sends} sends of 34 MB at once (${before.toFixed(0)} MB before, ${refused} told to try again)`,
      "MB",
      peakOf(web),
      1_000,
    ),
    row("the same: another project's send, the slowest", "ms", worst(others), 1_000),
  ];
}

async function measureWorker(
  stand: Stand,
  worker: ChildProcess,
  ask: (key: "test" | "small", body: Buffer) => Promise<Answered>,
): Promise<BenchRow[]> {
  const before = peakOf(worker);
  const to = Array.from({ length: recipients }, (_, n) => `person${n}@example.org`);
  const accepted = await ask("test", message(20, to));
  if (accepted.status !== 200) throw new Error(`The mail was answered with ${accepted.status}.`);
  const small = message(0, ["ada@sandbox.test"]);
  const waiting = async (project: "Memory" | "Beside") => {
    const [row] = await stand.db.execute<{ waiting: number }>(sql`
      select count(*)::int as waiting from email_queue join projects p on p.id = project_id
      where p.name = ${project}`);
    return row?.waiting ?? 0;
  };
  const done = (async () => {
    while ((await waiting("Memory")) > 0) {
      if (worker.exitCode !== null || worker.signalCode !== null) {
        throw new Error("The worker died.");
      }
      await sleep(100);
    }
  })();
  const delivered = await beside(done, async () => {
    const started = performance.now();
    const { status } = await ask("small", small);
    while ((await waiting("Beside")) > 0) await sleep(10);
    return { status, milliseconds: performance.now() - started };
  });
  return [
    {
      what: `worker: resident at most, a captured mail of 20 MB to ${recipients} (${before.toFixed(0)} MB before)`,
      unit: "MB",
      figure: peakOf(worker),
      floor: null,
      ratio: null,
      goal: { most: 1_000 },
    },
    {
      what: "the same: another project's mail from accepted to handed over, the slowest",
      unit: "ms",
      figure: worst(delivered),
      floor: null,
      ratio: null,
      goal: { most: 2_000 },
    },
  ];
}

/** How much memory tenants with large mail can make a program hold, and what others notice. */
export async function run(): Promise<BenchRow[]> {
  const stand = await startStand();
  try {
    const large = await bootstrap(stand.db, { email: "a@example.com", projectName: "Memory" });
    const small = await bootstrap(stand.db, { email: "b@example.com", projectName: "Beside" });
    const test = await createApiKey(
      systemContext(stand.db, decodeId("project", large.projectId) ?? ""),
      { name: "Test", scope: "sending", mode: "test" },
    );
    const keys = { large: large.apiKey, small: small.apiKey, test: test.key };
    const port = await freePort();
    const web = stand.run("bench/web.ts", [], { PORT: String(port) });
    await untilReady(web);
    const ask = (key: keyof typeof keys, body: Buffer) => post(port, keys[key], body);
    const rows = await measureWeb(stand, web, ask);
    await stand.db.execute(sql`truncate email_queue`);
    const worker = stand.run("bin/worker.ts", [], { NODE_ENV: "production" });
    await untilReady(worker);
    return [...rows, ...(await measureWorker(stand, worker, ask))];
  } finally {
    await stand.stop();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await run());
