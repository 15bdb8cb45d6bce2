import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { campaigns, segments } from "@/db/schema";
import { advanceCampaigns } from "@/lib/engine/campaigns/advance";
import { findOrCreateUser } from "@/lib/domain/users/users";
import { createProject } from "@/lib/domain/projects/projects";
import { newId } from "@/lib/ground/ids/ids";
import type { BenchRow } from "./row";
import { startStand } from "./stand";

const contacts = 1_000_000;

async function seed(db: Database, projectId: string): Promise<void> {
  await db.execute(sql`
    insert into contacts (id, project_id, email, first_name, consent, tags, data)
    select new_id(), ${projectId}::uuid, 'person' || n || '@example.com', 'Ada', 'subscribed',
      case when n % 3 = 0 then array['customer'] else '{}' end,
      jsonb_build_object('plan', (array['free', 'pro'])[1 + n % 2], 'seats', n % 500)
    from generate_series(1, ${contacts}) n`);
  await db.execute(sql`
    insert into suppressions (id, project_id, email, reason)
    select new_id(), ${projectId}::uuid, 'gone' || n || '@example.com', 'hard_bounce'
    from generate_series(1, 10000) n`);
  await db.execute(sql`vacuum analyze`);
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** What the machine can do: the same rows into the same table by one plain statement. */
async function measureFloor(db: Database, projectId: string): Promise<number> {
  const floor = await seconds(() =>
    db.execute(sql`
      with written as (
        insert into emails (id, project_id, message_id, contact_id, campaign_id, recipient, source, status)
        select new_id(), project_id, ${projectId}, id, ${projectId}, email, 'CAMPAIGN', 'PENDING'
        from contacts where project_id = ${projectId} returning *
      ) insert into email_queue (email_id, project_id, campaign_id, due_at)
        select id, project_id, campaign_id, app_now() from written`),
  );
  await db.execute(sql`truncate emails, email_queue cascade`);
  await db.execute(sql`checkpoint`);
  return floor;
}

async function measureAudience(db: Database, projectId: string): Promise<number> {
  const [segment] = await db
    .insert(segments)
    .values({
      id: newId(projectId),
      projectId,
      name: "Everybody with a plan",
      filter: {
        or: [
          { field: "data.plan", op: "exists" },
          { field: "tags", op: "contains", value: "customer" },
        ],
      },
    })
    .returning({ id: segments.id });
  await db.insert(campaigns).values({
    id: newId(projectId),
    projectId,
    name: "News",
    subject: "News",
    html: "<p>News</p>",
    fromEmail: "news@sandbox.test",
    segmentId: segment?.id ?? null,
    status: "SENDING",
  });
  await db.execute(sql`update campaigns set started_at = app_now(), due_at = app_now()`);
  let recipients = 0;
  const figure = await seconds(async () => {
    ({ recipients } = await advanceCampaigns(db, AbortSignal.timeout(600_000)));
  });
  if (recipients !== contacts) throw new Error(`${recipients} of ${contacts} were written down.`);
  return figure;
}

/** A million contacts through a segment to frozen recipients, beside the bare INSERT ... SELECT. */
export async function run(): Promise<BenchRow[]> {
  const stand = await startStand();
  try {
    const owner = await findOrCreateUser(stand.db, { email: "bench@example.com", name: "Bench" });
    const { id } = await createProject(stand.db, { name: "Bench", ownerUserId: owner.id });
    await seed(stand.db, id);
    const floor = await measureFloor(stand.db, id);
    const figure = await measureAudience(stand.db, id);
    return [
      {
        what: "audience: 1,000,000 contacts through a segment (floor: one bare INSERT ... SELECT)",
        unit: "s",
        figure,
        floor,
        ratio: figure / floor,
        goal: { most: 30, mostRatio: 1.5 },
      },
    ];
  } finally {
    await stand.stop();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await run());
