import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { emailQueue, installation, projects } from "@/db/schema";

const key = "hold";

/** restored: the database is older than what a worker has seen of it. asked: an operator asked for it. */
type HoldReason = "restored" | "asked";

/** Why sending is on hold, and since when (ISO 8601). */
interface Hold {
  reason: HoldReason;
  since: string;
}

/** Mail of one project that a hold keeps back, or that is due later. */
interface WaitingOfProject extends Record<string, unknown> {
  project: string;
  transactional: number;
  campaigns: number;
}

/** Why no worker begins mail; null: all may. */
export async function findHold(db: Database): Promise<Hold | null> {
  const [row] = await executePrepared<{ value: string }>(
    db,
    sql`select ${installation.value} from ${installation} where ${installation.key} = ${key}`,
  );
  return row ? (JSON.parse(row.value) as Hold) : null;
}

/** From now on no worker starts mail, until `endHold`. A hold that already exists stays as it is. */
export async function holdMail(db: Database, reason: HoldReason): Promise<void> {
  const hold: Hold = { reason, since: new Date().toISOString() };
  await db
    .insert(installation)
    .values({ key, value: JSON.stringify(hold) })
    .onConflictDoNothing();
}

/** Lets mail continue. Resolves to whether it was held. */
export async function endHold(db: Database): Promise<boolean> {
  const ended = await db.execute(sql`
    delete from ${installation} where ${installation.key} = ${key} returning 1 as ended`);
  return ended.length > 0;
}

/** What waits, by project, most first. */
export async function waitingMail(db: Database): Promise<WaitingOfProject[]> {
  return db.execute<WaitingOfProject>(sql`
    select ${projects.name} as project,
      count(*) filter (where ${emailQueue.campaignId} is null)::int as transactional,
      count(${emailQueue.campaignId})::int as campaigns
    from ${emailQueue} join ${projects} on ${projects.id} = ${emailQueue.projectId}
    where ${emailQueue.dueAt} is not null
    group by ${projects.id} order by count(*) desc`);
}
