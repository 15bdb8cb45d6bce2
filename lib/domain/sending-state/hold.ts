import { count, desc, eq, isNotNull, sql } from "drizzle-orm";
import { executePrepared, type Database, type Executor } from "@/db/client";
import { emailQueue, installation, projects } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireLive, requireRole, type Context } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import { announce } from "@/lib/ground/queue/announce";

const key = "hold";
/** For projects that continue nevertheless, by their uuids. */
const releasedKey = "hold/released/";

/** restored: the database is older than what a worker has seen of it. asked: an operator asked for it. */
type HoldReason = "restored" | "asked";

/** Why sending is on hold, and since when (ISO 8601). */
export interface Hold {
  reason: HoldReason;
  since: string;
  /** uuids of projects that continue nevertheless. */
  released: string[];
}

/** Mail of one project that a hold keeps back, or that is due later. */
interface WaitingOfProject extends Record<string, unknown> {
  project: string;
  transactional: number;
  campaigns: number;
}

/** Why no worker starts mail; null when all may. */
export async function findHold(executor: Executor): Promise<Hold | null> {
  const rows = await executePrepared<{ key: string; value: string }>(
    executor,
    sql`select ${installation.key}, ${installation.value} from ${installation}
      where ${installation.key} = ${key} or starts_with(${installation.key}, ${releasedKey})`,
  );
  const hold = rows.find((row) => row.key === key);
  if (!hold) return null;
  const released = rows
    .filter((row) => row !== hold)
    .map((row) => row.key.slice(releasedKey.length));
  return { ...(JSON.parse(hold.value) as Omit<Hold, "released">), released };
}

/** From now on no worker starts mail, until `endHold`. A hold that already exists stays as it is. */
export async function holdMail(db: Database, reason: HoldReason): Promise<void> {
  const hold: Omit<Hold, "released"> = { reason, since: new Date().toISOString() };
  await db
    .insert(installation)
    .values({ key, value: JSON.stringify(hold) })
    .onConflictDoNothing();
}

/** Lets mail continue. Resolves to whether it was held. */
export async function endHold(db: Database): Promise<boolean> {
  const ended = await db
    .delete(installation)
    .where(eq(installation.key, key))
    .returning({ key: installation.key });
  await forgetReleased(db);
  return ended.length > 0;
}

async function forgetReleased(executor: Executor): Promise<void> {
  await executor.delete(installation).where(sql`starts_with(${installation.key}, ${releasedKey})`);
}

/**
 * Lets the mail of the caller's project continue; that of others stays on hold as long as any of it is waiting.
 * Resolves to whether it was held. Throws CONFLICT while the operator holds all mail. Needs admin, and no test key.
 */
export async function releaseProject(ctx: Context): Promise<boolean> {
  requireRole(ctx, "admin");
  requireLive(ctx);
  const released = await ctx.db.transaction(async (tx) => {
    const hold = await findHold(tx);
    if (!hold || hold.released.includes(ctx.projectId)) return false;
    if (hold.reason === "asked") {
      throw new AppError("CONFLICT", "The operator of this installation is holding back all mail.");
    }
    await tx
      .insert(installation)
      .values({ key: releasedKey + ctx.projectId, value: "" })
      .onConflictDoNothing();
    const projectsReleased = [...hold.released, ctx.projectId];
    const [others] = await tx.execute<{ wait: boolean }>(sql`select exists (
      select from ${emailQueue}
      where ${emailQueue.projectId} <> all(${sql.param(projectsReleased)}::uuid[])) as wait`);
    if (!others?.wait) {
      await tx.delete(installation).where(eq(installation.key, key));
      await forgetReleased(tx);
    }
    await audit(tx, ctx, "release.mail", null, { reason: hold.reason });
    return true;
  });
  if (released) announce(ctx.db, "emails_due");
  return released;
}

/** How much mail is waiting, by project, most first. */
export async function waitingMail(db: Database): Promise<WaitingOfProject[]> {
  return db
    .select({
      project: projects.name,
      transactional: sql<number>`count(*) filter (where ${emailQueue.campaignId} is null)::int`,
      campaigns: count(emailQueue.campaignId),
    })
    .from(emailQueue)
    .innerJoin(projects, eq(projects.id, emailQueue.projectId))
    .where(isNotNull(emailQueue.dueAt))
    .groupBy(projects.id)
    .orderBy(desc(count()));
}
