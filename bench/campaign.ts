import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { campaigns, domains } from "@/db/schema";
import { createDkimKey } from "@/lib/domain/sending-domains/dkim-keys";
import { confirmAppSecret } from "@/lib/ground/installation";
import { createProject } from "@/lib/domain/projects/projects";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { newId } from "@/lib/ground/ids/ids";
import type { BenchRow } from "./row";
import { until } from "@/lib/testing/until";
import { startStand } from "./stand";

const many = 1_000_000;
const few = 10_000;
/** The bench waits for as long as a million mails take. */
const patience = { seconds: 900, everyMilliseconds: 50 };
/** Emails over which a rate is taken. */
const measured = 8_000;

/** A project with this many subscribed people, and a campaign to them that has just started. */
export async function startCampaign(db: Database, people: number): Promise<string> {
  const owner = await findOrCreateUser(db, { email: "bench@example.com", name: "Bench" });
  const { id: projectId } = await createProject(db, { name: "Bench", ownerUserId: owner.id });
  const name = `p${people}.example.com`;
  await db.insert(domains).values({
    id: newId(projectId),
    projectId,
    name,
    status: "VERIFIED",
    ...(await createDkimKey()),
  });
  await db.execute(sql`
    insert into contacts (id, project_id, email, first_name, consent)
    select new_id(), ${projectId}, 'reader-' || n || '@example.org', 'Reader', 'subscribed'
    from generate_series(1, ${people}) n`);
  await db.execute(sql`vacuum analyze contacts`);
  const [campaign] = await db
    .insert(campaigns)
    .values({
      id: newId(projectId),
      projectId,
      name: "News",
      subject: "News for {{ firstName }}",
      fromEmail: `news@${name}`,
      html: `<h1>Hello {{ firstName }}</h1>${'<p>A paragraph with <a href="https://example.com/a">a link</a>.</p>'.repeat(40)}`,
      status: "SENDING",
    })
    .returning({ id: campaigns.id });
  if (!campaign) throw new Error("An insert returned no row.");
  await db.execute(sql`
    update campaigns set started_at = app_now(), due_at = app_now() where id = ${campaign.id}`);
  await db.execute(sql`select pg_notify('campaigns_due', '')`);
  return campaign.id;
}

export async function settled(db: Database, campaign: string): Promise<number> {
  const [row] = await db.execute<{ n: number }>(sql`
    select coalesce(sum(settled), 0)::int as n from hourly_figures where campaign_id = ${campaign}`);
  return row?.n ?? 0;
}

/** Milliseconds per email from now on, measured over some thousands of them. */
async function costOfOne(db: Database, campaign: string): Promise<number> {
  const before = await settled(db, campaign);
  const started = performance.now();
  let after = before;
  await until(async () => (after = await settled(db, campaign)) - before >= measured, patience);
  return (performance.now() - started) / (after - before);
}

export const isComplete = async (db: Database, campaign: string): Promise<boolean> => {
  const rows = await db.execute(sql`
    select 1 as one from campaigns where id = ${campaign} and audience_done_at is not null`);
  return rows.length > 0;
};

/** Puts the campaign into its second half, as if a worker had sent the first. */
async function sendHalf(db: Database, campaign: string): Promise<void> {
  for (let turn = 0; turn < 25; turn++) {
    await db.execute(sql`
      with gone as (
        delete from email_queue where email_id in (
          select email_id from email_queue
          where campaign_id = ${campaign} and not asleep and warmup_rank is null and lease_id is null
          order by place, email_id limit ${many / 50} for update skip locked)
        returning email_id
      ) update emails set status = 'SENT', attempts = 1, sent_at = app_now()
        from gone where id = gone.email_id`);
  }
}

function watchMemory(pid: number): { stop(): { most: number; last: number; first: number } } {
  const megabytes: number[] = [];
  const timer = setInterval(() => {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    megabytes.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  }, 500);
  return {
    stop() {
      clearInterval(timer);
      const [first = 0] = megabytes.slice(Math.floor(megabytes.length / 4));
      return { most: Math.max(...megabytes), last: megabytes.at(-1) ?? 0, first };
    },
  };
}

/** One worker, a million recipients: an email's cost, the worker's memory, how long others wait. */
export async function run(): Promise<BenchRow[]> {
  const sink = fork(fileURLToPath(new URL("mail-sink.ts", import.meta.url)));
  const [port] = (await once(sink, "message")) as [number];
  const stand = await startStand({ MAIL_TRANSPORT: `smtp://127.0.0.1:${port}?connections=10` });
  try {
    const { db } = stand;
    await confirmAppSecret(db);
    const small = await startCampaign(db, few);
    const worker = stand.run("bin/worker.ts");
    // A process's slow start is not the campaign's fault.
    await until(async () => (await settled(db, small)) > few / 10, patience);
    const costAtFew = await costOfOne(db, small);
    const memory = watchMemory(worker.pid ?? 0);
    const large = await startCampaign(db, many);
    await until(() => isComplete(db, large), patience);
    const costAtMany = await costOfOne(db, large);
    await sendHalf(db, large);
    const costInTheMiddle = await costOfOne(db, large);
    const started = performance.now();
    const beside = await startCampaign(db, 10);
    await until(async () => (await settled(db, beside)) === 10, patience);
    const waited = (performance.now() - started) / 1000;
    const { most, first, last } = memory.stop();
    console.error(
      `ms an email: ${costAtFew.toFixed(2)} at ${few}, ${costAtMany.toFixed(2)} at ${many}, ` +
        `${costInTheMiddle.toFixed(2)} in its middle; worker ${first.toFixed(0)} to ${last.toFixed(0)} MB`,
    );
    const worst = Math.max(costAtMany, costInTheMiddle);
    const row = { floor: null, ratio: null };
    return [
      {
        ...row,
        what: "growth: an email of 1,000,000 recipients against one of 10,000",
        unit: "x",
        figure: worst / costAtFew,
        goal: { most: 1.2 },
      },
      {
        ...row,
        what: "memory of a worker, 1,000,000 recipients",
        unit: "MB",
        figure: most,
        goal: { most: 250 },
      },
      {
        ...row,
        what: "ten recipients of another project beside them",
        unit: "s",
        figure: waited,
        goal: { most: 5 },
      },
    ];
  } finally {
    await stand.stop();
    sink.disconnect();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await run());
