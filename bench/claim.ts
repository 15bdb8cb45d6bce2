import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { createProject } from "@/lib/domain/projects/projects";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { claimEmails, type ClaimedEmail } from "@/lib/engine/sending/claim";
import { releaseEmails } from "@/lib/engine/sending/leases";
import { newUnownedId } from "@/lib/ground/ids/ids";
import type { BenchRow } from "./row";
import { startStand } from "./stand";

const otherProjects = 50_000;
const sentCampaigns = 20_000;
const unsubscribed = 300_000;
const limit = 50;
const rounds = 15;

/** `count` mails of the project that are due now, outside campaigns. */
async function enqueue(db: Database, projectId: string, count: number): Promise<void> {
  await db.execute(sql`
    with written as (
      insert into emails (id, project_id, message_id, recipient, source, status)
      select new_id(), ${projectId}, ${newUnownedId()}, 'p' || n || '@example.org', 'TRANSACTIONAL', 'PENDING'
      from generate_series(1, ${count}) n returning id, project_id
    ) insert into email_queue (email_id, project_id, due_at)
      select id, project_id, app_now() from written`);
}

/** The median and the longest of some claims, in milliseconds; each one gives back what it got. */
async function measureClaims(db: Database): Promise<{ median: number; longest: number }> {
  const times: number[] = [];
  for (let round = 0; round < rounds + 3; round++) {
    const started = performance.now();
    const { emails } = await claimEmails(db, { limit, leaseSeconds: 90 });
    // The first claims meet a cold cache.
    if (round >= 3) times.push(performance.now() - started);
    if (emails.length === 0) throw new Error("Nothing was claimed.");
    await releaseEmails(db, emails);
  }
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)] ?? 0, longest: times.at(-1) ?? 0 };
}

/** How late new mail is claimed beside a campaign whose people have all unsubscribed. */
async function measureRefusals(db: Database, projectId: string): Promise<number> {
  const [campaign, message] = [newUnownedId(), newUnownedId()];
  await db.execute(sql`
    insert into campaigns (id, project_id, name, status, started_at)
    values (${campaign}, ${projectId}, 'News', 'SENDING', app_now())`);
  await db.execute(sql`
    with people as (
      insert into contacts (id, project_id, email, consent)
      select new_id(), ${projectId}, 'left' || n || '@example.org', 'unsubscribed'
      from generate_series(1, ${unsubscribed}) n returning id, email
    ), written as (
      insert into emails (id, project_id, message_id, contact_id, campaign_id, recipient, source, status)
      select new_id(), ${projectId}, ${message}, id, ${campaign}, email, 'CAMPAIGN', 'PENDING'
      from people returning id, project_id, campaign_id
    ) insert into email_queue (email_id, project_id, campaign_id, due_at)
      select id, project_id, campaign_id, app_now() from written`);
  await db.execute(sql`vacuum analyze`);
  let [longest, refused] = [0, 0];
  const deadline = performance.now() + 10_000;
  while (refused < unsubscribed && performance.now() < deadline) {
    // Due at the worst moment: just after a claim has begun.
    const started = performance.now();
    const first = claimEmails(db, { limit, leaseSeconds: 90 });
    await enqueue(db, projectId, 1);
    const claimed: ClaimedEmail[] = [];
    for (let claim = await first; ; claim = await claimEmails(db, { limit, leaseSeconds: 90 })) {
      refused += claim.refused;
      claimed.push(...claim.emails);
      if (claimed.length > 0) break;
    }
    longest = Math.max(longest, performance.now() - started);
  }
  return longest;
}

/** Claims beside tenants that have a lot of mail waiting, none of it due. */
export async function run(): Promise<BenchRow[]> {
  const stand = await startStand();
  const { db } = stand;
  try {
    const user = await findOrCreateUser(db, { email: "bench@example.com" });
    const { id: projectId } = await createProject(db, { name: "Bench", ownerUserId: user.id });
    await enqueue(db, projectId, limit);
    const alone = await measureClaims(db);
    await db.execute(sql`
      with written as (
        insert into emails (id, project_id, message_id, recipient, source, status)
        select new_id(), new_id(), new_id(), 'later@example.org', 'TRANSACTIONAL', 'PENDING'
        from generate_series(1, ${otherProjects}) n returning id, project_id
      ) insert into email_queue (email_id, project_id, asleep, due_at)
        select id, project_id, true, app_now() + interval '1 hour' + random() * interval '12 hours'
        from written`);
    const scheduled = await measureClaims(db);
    await db.execute(sql`
      with sent as (
        insert into campaigns (id, project_id, name, status, started_at, finished_at)
        select new_id(), ${projectId}, 'Sent ' || n, 'SENT', app_now(), app_now()
        from generate_series(1, ${sentCampaigns}) n returning id
      ), written as (
        insert into emails (id, project_id, message_id, contact_id, campaign_id, recipient, source, status)
        select new_id(), ${projectId}, new_id(), new_id(), id, 'slow@example.org', 'CAMPAIGN',
          'PENDING' from sent returning id, project_id, campaign_id
      ) insert into email_queue (email_id, project_id, campaign_id, asleep, due_at, attempts)
        select id, project_id, campaign_id, true, app_now() + interval '1 hour', 1 from written`);
    const campaigns = await measureClaims(db);
    await db.execute(sql`truncate emails, email_queue cascade`);
    const late = await measureRefusals(db, projectId);
    const row = (what: string, { median }: { median: number }): BenchRow => ({
      what,
      unit: "ms",
      figure: median,
      floor: alone.median,
      ratio: median / alone.median,
      goal: { most: 10 },
    });
    return [
      row(`claim of ${limit}, ${otherProjects} other projects with scheduled mail`, scheduled),
      row(`the same, and ${sentCampaigns} sent campaigns with later tries`, campaigns),
      {
        what: `one mail claimed while ${unsubscribed} unsubscribed of a campaign are refused, the latest`,
        unit: "ms",
        figure: late,
        floor: null,
        ratio: null,
        goal: { most: 1_000 },
      },
    ];
  } finally {
    await stand.stop();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await run());
