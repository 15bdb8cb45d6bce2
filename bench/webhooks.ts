import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { systemContext } from "@/lib/ground/context";
import { createProject } from "@/lib/domain/projects/projects";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { WebhookDeliverer } from "@/lib/engine/webhooks/deliverer";
import { emitEvents } from "@/lib/ground/events/emit";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import type { BenchRow } from "./row";
import { startStand, untilReady, type Stand } from "./stand";
import { freePort } from "@/db/embedded/free-port";

const events = 20_000;
const hungEndpoints = 10;
const connections = 32;

/** Deliveries to a healthy endpoint on loopback, alone and beside endpoints that never answer. */
export async function run(): Promise<BenchRow[]> {
  const stand = await startStand({ ALLOW_PRIVATE_ADDRESSES: "1" });
  try {
    const port = await freePort();
    await untilReady(stand.run("bench/webhook-sink.ts", [], { PORT: String(port) }));
    const url = `http://127.0.0.1:${port}/`;
    await measure(stand, url, 0, 2_000);
    const floor = await bareCalls(url);
    const alone = await measure(stand, url, 0, events);
    const beside = await measure(stand, url, hungEndpoints, events);
    return [
      {
        what: "webhooks to a healthy endpoint (floor: bare node:http calls, nothing kept)",
        unit: "events/s",
        figure: alone,
        floor,
        ratio: alone / floor,
        goal: { least: 2_000 },
      },
      {
        what: `the same beside ${hungEndpoints} hung endpoints (floor: without them)`,
        unit: "events/s",
        figure: beside,
        floor: alone,
        ratio: beside / alone,
        goal: { least: 2_000, leastRatio: 0.9 },
      },
    ];
  } finally {
    await stand.stop();
  }
}

/** Calls a second with a body of the usual size over kept connections. */
async function bareCalls(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const body = JSON.stringify({ type: "campaign.sent", data: { text: "x".repeat(300) } });
  const call = () =>
    new Promise<void>((resolve, reject) => {
      request(url, { method: "POST", agent }, (response) => {
        response.resume().once("end", resolve);
      })
        .once("error", reject)
        .end(body);
    });
  const started = performance.now();
  let left = events;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) await call();
    }),
  );
  agent.destroy();
  return (events / (performance.now() - started)) * 1000;
}

/** Events a second from the first call until all are recorded as delivered. */
async function measure({ db }: Stand, url: string, hung: number, count: number): Promise<number> {
  const user = await findOrCreateUser(db, { email: "bench@example.com", name: "Bench" });
  const make = async (to: string, many: number) => {
    const project = await createProject(db, { name: "Bench", ownerUserId: user.id });
    await createWebhook(systemContext(db, project.id), { url: to, events: ["*"] });
    const event = {
      projectId: project.id,
      type: "campaign.sent" as const,
      data: { text: "x".repeat(300) },
    };
    for (let emitted = 0; emitted < many; emitted += 1_000) {
      await emitEvents(
        db,
        Array.from({ length: Math.min(1_000, many - emitted) }, () => event),
      );
    }
    return project.id;
  };
  for (let index = 0; index < hung; index++) await make(`${url}hang`, 500);
  const project = await make(url, count);
  await db.execute(sql`analyze webhook_deliveries`);
  const stop = new AbortController();
  const started = performance.now();
  const running = new WebhookDeliverer({ db }).run(stop.signal);
  for (;;) {
    const [row] = await db.execute<{ left: number }>(sql`
      select count(*)::int as left from webhook_deliveries
      where project_id = ${project} and due_at is not null`);
    if (row?.left === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const rate = (count / (performance.now() - started)) * 1000;
  stop.abort();
  await running;
  await db.execute(sql`delete from webhooks`);
  return rate;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await run());
