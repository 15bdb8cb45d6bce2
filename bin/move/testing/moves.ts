import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll } from "vitest";
import { moveProject } from "@/bin/move/move";
import { isOf, plan, quoted } from "@/bin/move/plan";
import { closeDatabase, connect, type Database } from "@/db/client";
import { migrateDatabase } from "@/db/migrate";
import { useTestDatabase, type TestDatabase } from "@/db/testing";
import { startTestCluster, type TestCluster } from "@/db/testing/cluster";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { sendCampaign } from "@/lib/domain/campaigns/transitions";
import { advanceCampaigns } from "@/lib/engine/campaigns/advance";
import { Dispatcher } from "@/lib/engine/sending/dispatcher";
import { reloadEnv } from "@/lib/ground/env/env";
import { decodeId } from "@/lib/ground/ids/ids";
import { setPace } from "@/lib/ground/queue/project-pace";
import { makeProject, type TestProject } from "@/lib/testing";
import { bearerClient } from "@/lib/testing/bearer";
import { seedContacts } from "@/lib/testing/campaigns";
import { verifiedDomain, type TestMailServer } from "@/lib/testing/delivery";
import { smtpTransport } from "@/lib/testing/mail-servers";

/** Where the target says it is reached. */
export const there = "https://mail2.example.com";

/** Two clusters with a database each: the test's own, and a migrated one to move to. Call at the top level. */
export function useMoveEnds() {
  const source = useTestDatabase();
  let cluster: TestCluster | undefined;
  let target: Database | undefined;
  const targetUrl = () => {
    if (!cluster) throw new Error("The target is there from beforeAll on.");
    return cluster.url("postgres");
  };
  beforeAll(async () => {
    cluster = await startTestCluster();
    await migrateDatabase(targetUrl());
    target = connect(targetUrl(), { max: 5 });
  }, 120_000);
  afterAll(async () => {
    await target?.$client.end({ timeout: 1 });
    await cluster?.stop();
  });
  return {
    source,
    get target(): Database {
      if (!target) throw new Error("The target is there from beforeAll on.");
      return target;
    },
    get targetUrl() {
      return targetUrl();
    },
    /** `say`: told each step, which it may end by throwing. `to`: another database than the target. */
    move: (
      projectId: string,
      say: (step: string) => void = () => {},
      { to = targetUrl(), waitSeconds = 120 } = {},
    ) =>
      moveProject({
        source: source.url,
        target: to,
        projectId,
        url: there,
        files: "shared",
        waitSeconds,
        say,
      }),
    /** Runs with the target as the process's database, as a program of it would. */
    atTarget: <Result>(run: () => Promise<Result>) => atDatabase(source, targetUrl(), run),
  };
}

async function atDatabase<Result>(
  source: TestDatabase,
  url: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const home = source.url;
  const become = async (next: string) => {
    await closeDatabase();
    process.env["DATABASE_URL"] = next;
    reloadEnv();
  };
  await become(url);
  try {
    return await run();
  } finally {
    await become(home);
  }
}

/** How many rows each table has of a project. */
export async function countsOf(db: Database, projectId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of plan) {
    const [row] = await db.$client.unsafe<{ rows: number }[]>(
      `select count(*)::int as rows from ${quoted(table.name)} where ${isOf(table, projectId)}`,
    );
    counts[table.name] = row?.rows ?? 0;
  }
  return counts;
}

/** The tables that have rows of it. */
export async function filledTables(db: Database, projectId: string): Promise<string[]> {
  return Object.entries(await countsOf(db, projectId)).flatMap(([name, rows]) =>
    rows > 0 ? [name] : [],
  );
}

/** How many triggers of its move a project has. */
export async function fencesOf(db: Database, projectId: string): Promise<number> {
  const [row] = await db.execute<{ triggers: number }>(sql`
    select count(*)::int as triggers from pg_trigger
    where tgname like ${`project_moves_%_${projectId.slice(-12)}`}`);
  return row?.triggers ?? 0;
}

/** A worker as far as mail and campaigns go, until the returned function is called. */
export function startWorker(db: Database, url: string): () => Promise<void> {
  const stop = new AbortController();
  const dispatcher = new Dispatcher({ db, transport: smtpTransport(`${url}?connections=4`) });
  const running = dispatcher.run(stop.signal);
  const advancing = (async () => {
    while (!stop.signal.aborted) {
      await advanceCampaigns(db, stop.signal).catch(() => {});
      await sleep(100);
    }
  })();
  return async () => {
    stop.abort();
    await Promise.all([running, advancing]);
  };
}

export interface Sender extends TestProject {
  from: string;
}

/** A project with `people` contacts at a host of its own, from which it sends. */
export async function makeSender(db: Database, people: number, host: string): Promise<Sender> {
  const project = await makeProject(db);
  await verifiedDomain(db, project.projectId, host);
  await db.execute(sql`
    update projects set sends_per_minute = 1000000, requests_per_ten_seconds = 1000000
    where id = ${project.projectId}`);
  const email = sql`'p' || n || ${`@${host}`}`;
  await seedContacts(db, project.projectId, people, { email });
  return { ...project, from: `news@${host}` };
}

/** Starts a campaign to all of them, `perHour` emails an hour at most. Resolves to its uuid. */
export async function startCampaign(
  { ctx, from, projectId }: Sender,
  perHour: number,
): Promise<string> {
  await ctx.db.execute(setPace(projectId, perHour));
  const { id } = await createCampaign(ctx, {
    name: "News",
    subject: "News",
    from,
    body: '<p>Hello</p><a href="https://shop.example/tea">Tea</a>',
  });
  await sendCampaign(ctx, id, {});
  return decodeId("campaign", id) ?? "";
}

/** Lets a project's campaigns go as fast as they can. */
export async function endPace(db: Database, projectId: string): Promise<void> {
  await db.execute(sql`delete from project_paces where project_id = ${projectId}`);
}

/** How many copies each address at a host got. */
export function copiesTo(server: TestMailServer, host: string): Map<string, number> {
  const copies = new Map<string, number>();
  for (const { to } of server.mails) {
    const [address = ""] = to;
    if (address.endsWith(`@${host}`)) copies.set(address, (copies.get(address) ?? 0) + 1);
  }
  return copies;
}

/** Those who got more than one. */
export const doubled = (copies: ReadonlyMap<string, number>) =>
  [...copies].filter(([, number]) => number !== 1);

/** Sends one email after another; knows which were acknowledged, and what else was answered. */
export function keepSending({ apiKey, from }: Sender, host: string) {
  const ask = bearerClient(apiKey);
  const acknowledged: string[] = [];
  const refused: { status: number; message: string; retryAfter: string | null }[] = [];
  let stopped = false;
  const running = (async () => {
    for (let n = 0; !stopped; n++) {
      const to = `urgent${n}@${host}`;
      const answer = await ask("POST", "/v1/send", { from, to, subject: "Now", body: "Now" });
      if (answer.status === 200) acknowledged.push(to);
      else {
        const retryAfter = answer.headers.get("retry-after");
        const { error } = answer.body as { error: { message: string } };
        refused.push({ status: answer.status, message: error.message, retryAfter });
      }
      await sleep(100);
    }
  })();
  return {
    acknowledged,
    refused,
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}
