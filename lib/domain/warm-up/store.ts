import { eq, inArray, sql } from "drizzle-orm";
import { excluded } from "@/db/names";
import type { Executor, Transaction } from "@/db/client";
import { warmupDays, warmupHours, warmups } from "@/db/schema";
import type { Trouble } from "@/lib/domain/guard/judge";
import { capOn, mostHalvings, rolledOver, startedAgain, summaryOf, type WarmupRow } from "./plan";
import type { WarmupSummary } from "./schema";

/** Today in UTC by the database's clock, as a date. */
export const today = sql<string>`(app_now() at time zone 'UTC')::date`;

/** A plan that is locked, as it is today. */
export interface LockedWarmup {
  row: WarmupRow;
  /** UTC. */
  day: string;
  /** The database's time. */
  at: Date;
  /** null: nothing is held back. */
  cap: number | null;
}

/** What domains say about their warm-up, by their uuids. */
export async function readWarmups(
  executor: Executor,
  domainIds: readonly string[],
): Promise<(domainId: string) => WarmupSummary> {
  const rows =
    domainIds.length === 0
      ? []
      : await executor
          .select({ row: warmups, day: today })
          .from(warmups)
          .where(inArray(warmups.domainId, [...domainIds]));
  const byId = new Map(rows.map(({ row, day }) => [row.domainId, summaryOf(row, day)]));
  return (domainId) => byId.get(domainId) ?? summaryOf(null, "");
}

/**
 * Locks a domain's plan and brings it to today: letting mail out by it, and writing down mail that has to
 * wait for it, both take this lock. null: the domain never had one.
 */
export async function lockWarmup(tx: Transaction, domainId: string): Promise<LockedWarmup | null> {
  const newest = tx
    .select({ hour: sql<string | null>`max(${warmupHours.hour})`.as("hour") })
    .from(warmupHours)
    .where(eq(warmupHours.domainId, warmups.domainId))
    .as("newest");
  const [stored] = await tx
    .select({
      row: warmups,
      day: today,
      at: sql<string>`app_now()`,
      lastMailOn: sql<string>`(greatest(${warmups.enabledAt}, ${newest.hour})
        at time zone 'UTC')::date::text`,
    })
    .from(warmups)
    .leftJoinLateral(newest, sql`true`)
    .where(eq(warmups.domainId, domainId))
    .for("update", { of: warmups });
  if (!stored) return null;
  const { row, day, lastMailOn } = stored;
  const changes = { ...rolledOver(row, day), ...startedAgain(lastMailOn, day) };
  return saveWarmup(tx, { row, day, at: new Date(stored.at), cap: null }, changes);
}

/** When the plan was last changed, if it is by these changes: what is only counted is no new version. */
function versionOf({ row, at }: LockedWarmup, changes: Partial<WarmupRow>): Partial<WarmupRow> {
  const { enabled, schedule, startedOn } = { ...row, ...changes };
  const same = enabled === row.enabled && startedOn === row.startedOn;
  if (same && schedule.join() === row.schedule.join()) return {};
  // The API tells states apart by milliseconds.
  return { updatedAt: new Date(Math.max(at.getTime(), (row.updatedAt?.getTime() ?? 0) + 1)) };
}

/** Writes changes of a locked plan, and the cap that holds today. */
export async function saveWarmup(
  tx: Transaction,
  locked: LockedWarmup,
  changed: Partial<WarmupRow>,
): Promise<LockedWarmup> {
  const changes = { ...changed, ...versionOf(locked, changed) };
  const { row: before, day } = locked;
  const row = { ...before, ...changes };
  const cap = capOn(row, day);
  const names = Object.keys(changes) as (keyof WarmupRow)[];
  if (names.some((name) => row[name] !== before[name])) {
    await tx.update(warmups).set(changes).where(eq(warmups.domainId, row.domainId));
  }
  if (row.enabled) {
    const values = { cap, slowed: row.slowed > 0 ? row.slowedMessage : null };
    await tx
      .insert(warmupDays)
      .values({ domainId: row.domainId, day, ...values })
      .onConflictDoUpdate({
        target: [warmupDays.domainId, warmupDays.day],
        set: values,
        setWhere: sql`${warmupDays.cap} is distinct from ${excluded(warmupDays.cap)}
          or ${warmupDays.slowed} is distinct from ${excluded(warmupDays.slowed)}`,
      });
  }
  return { ...locked, row, cap };
}

/** Lowers the caps because of bad results: once, or twice where they are very bad. */
export function slowDown(
  tx: Transaction,
  locked: LockedWarmup,
  { reason, verdict, message }: Trouble,
): Promise<LockedWarmup> {
  const halvings = verdict === "tooHigh" ? 2 : 1;
  const slowed = Math.min(mostHalvings, locked.row.slowed + halvings);
  const changes = { slowed, slowedReason: reason, slowedMessage: message, slowedAt: locked.at };
  return saveWarmup(tx, locked, changes);
}

/** A plan that was chosen before its domain could send begins now. */
export async function startWithVerification(tx: Transaction, domainId: string): Promise<void> {
  const locked = await lockWarmup(tx, domainId);
  if (!locked?.row.enabled) return;
  await saveWarmup(tx, locked, { startedOn: locked.day, lag: 0, slowed: 0, enabledAt: locked.at });
}
