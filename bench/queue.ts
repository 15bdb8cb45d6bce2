import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { createProject } from "@/lib/domain/projects/projects";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { claimEmails } from "@/lib/engine/sending/claim";
import { releaseEmails } from "@/lib/engine/sending/leases";
import { recordResults } from "@/lib/engine/sending/record";
import { resultOf } from "@/lib/engine/sending/result";
import { newUnownedId } from "@/lib/ground/ids/ids";
import type { BenchRow } from "./row";
import { startStand } from "./stand";

const waiting = 1_000_000;
const ready = 100;
const churned = 200_000;
const recipients = 200_000;
const rounds = 30;
const atOnce = 100;

const accepted = {
  kind: "accepted" as const,
  reply: { code: 250, enhancedCode: "2.0.0", text: "Queued." },
};

/** Mail outside campaigns, due after this many seconds. */
async function enqueue(db: Database, projectId: string, count: number, seconds = 0): Promise<void> {
  await db.execute(sql`
    with written as (
      insert into emails (id, project_id, message_id, recipient, source, status)
      select new_id(), ${projectId}, ${newUnownedId()}, 'p' || n || '@example.org', 'TRANSACTIONAL', 'PENDING'
      from generate_series(1, ${count}::int) n returning id, project_id
    ) insert into email_queue (email_id, project_id, asleep, due_at)
      select id, project_id, ${seconds}::int > 0, app_now() + make_interval(secs => ${seconds})
      from written`);
}

/** Claims a hundred and records that they were sent; resolves to how many there were. */
async function sendSome(db: Database): Promise<number> {
  const { emails } = await claimEmails(db, { limit: atOnce, leaseSeconds: 90 });
  if (emails.length > 0) {
    await recordResults(
      db,
      emails.map((email) => resultOf(email, accepted)),
    );
  }
  return emails.length;
}

async function measureClaims(db: Database): Promise<{ median: number; longest: number }> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    const { emails } = await claimEmails(db, { limit: atOnce, leaseSeconds: 90 });
    times.push(performance.now() - started);
    if (emails.length !== ready) throw new Error(`${emails.length} were claimed.`);
    await releaseEmails(db, emails);
  }
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)] ?? 0, longest: times.at(-1) ?? 0 };
}

interface Sizes extends Record<string, unknown> {
  heap: number;
  indexes: number;
  updates: number;
  hot: number;
}

async function sizesOf(db: Database): Promise<Sizes> {
  await db.execute(sql`select pg_stat_force_next_flush()`);
  const [row] = await db.execute<Sizes>(sql`
    select pg_relation_size('emails')::float8 as heap, pg_indexes_size('emails')::float8 as indexes,
      n_tup_upd::float8 as updates, n_tup_hot_upd::float8 as hot
    from pg_stat_user_tables where relname = 'emails'`);
  if (!row) throw new Error("There are no figures of emails.");
  return row;
}

/** A campaign recorded in one go, then sent: its rate at both ends, and the table's state. */
async function measureCampaign(db: Database, projectId: string) {
  const [campaign, message] = [newUnownedId(), newUnownedId()];
  await db.execute(sql`
    insert into campaigns (id, project_id, name, status, started_at)
    values (${campaign}, ${projectId}, 'News', 'SENDING', app_now())`);
  await db.execute(sql`
    with people as (
      insert into contacts (id, project_id, email, consent)
      select new_id(), ${projectId}, 'reader' || n || '@example.org', 'subscribed'
      from generate_series(1, ${recipients}::int) n returning id, email
    ), written as (
      insert into emails (id, project_id, message_id, contact_id, campaign_id, recipient, source, status)
      select new_id(), ${projectId}, ${message}, id, ${campaign}, email, 'CAMPAIGN', 'PENDING'
      from people returning id, project_id, campaign_id
    ) insert into email_queue (email_id, project_id, campaign_id, due_at)
      select id, project_id, campaign_id, app_now() from written`);
  await db.execute(sql`vacuum analyze`);
  const before = await sizesOf(db);
  const rates: number[] = [];
  let [sent, counted, since] = [0, 0, performance.now()];
  for (let some = await sendSome(db); some > 0; some = await sendSome(db)) {
    sent += some;
    if (sent - counted < recipients / 10) continue;
    const now = performance.now();
    rates.push((sent - counted) / ((now - since) / 1000));
    [counted, since] = [sent, now];
  }
  const after = await sizesOf(db);
  console.error(`emails/s by tenths: ${rates.map((rate) => rate.toFixed(0)).join(" ")}`);
  return {
    // During the first tenth, the process is not warm yet.
    slowdown: (rates[1] ?? 0) / (rates.at(-1) ?? 1),
    hot: (100 * (after.hot - before.hot)) / (after.updates - before.updates),
    growth: 100 * ((after.heap + after.indexes) / (before.heap + before.indexes) - 1),
  };
}

/** The queue beside a transaction that was open before a lot of mail came and went. */
export async function run(): Promise<BenchRow[]> {
  const stand = await startStand();
  const { db } = stand;
  try {
    const user = await findOrCreateUser(db, { email: "bench@example.com" });
    const { id: projectId } = await createProject(db, { name: "Bench", ownerUserId: user.id });
    const campaign = await measureCampaign(db, projectId);
    await enqueue(db, projectId, waiting, 86_400);
    await db.execute(sql`vacuum analyze`);
    await enqueue(db, projectId, ready);
    const alone = await measureClaims(db);
    const old = await measureBesideSnapshot(db, projectId);
    const row = { floor: null, ratio: null };
    return [
      {
        what: `claim of ${ready} ready of ${waiting}, a snapshot open since ${churned} mails ago`,
        unit: "ms",
        figure: old.median,
        floor: alone.median,
        ratio: old.median / alone.median,
        goal: { most: 10 },
      },
      { ...row, what: "the longest of those claims", unit: "ms", figure: old.longest },
      {
        ...row,
        what: `rate of a campaign of ${recipients}, its second tenth against its last`,
        unit: "x",
        figure: campaign.slowdown,
        goal: { most: 1.1 },
      },
      { ...row, what: "its updates of emails that are HOT", unit: "%", figure: campaign.hot },
      {
        ...row,
        what: "growth of emails and its indexes by being sent",
        unit: "%",
        figure: campaign.growth,
        goal: { most: 20 },
      },
    ];
  } finally {
    await stand.stop();
  }
}

/** Somebody reads in one transaction, as a backup does, while mail comes and goes. */
async function measureBesideSnapshot(db: Database, projectId: string) {
  return db.transaction(
    async (tx) => {
      await tx.execute(sql`select count(*) from campaigns`);
      for (let gone = 0; gone < churned;) {
        await enqueue(db, projectId, atOnce);
        gone += await sendSome(db);
      }
      return measureClaims(db);
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await run());
