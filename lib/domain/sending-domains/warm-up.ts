import { and, eq, gte, sql } from "drizzle-orm";
import { warmupDays, warmupHours, warmupReceivers, warmups } from "@/db/schema";
import type { Executor } from "@/db/client";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { invalid } from "@/lib/ground/errors";
import { holdBack } from "@/lib/domain/warm-up/hold-back";
import {
  addDays,
  daysBetween,
  hourlyCapOf,
  lastDayOf,
  rolledOver,
  summaryOf,
  type WarmupRow,
} from "@/lib/domain/warm-up/plan";
import {
  freeAgainOn,
  readReceiverRooms,
  receiverCap,
  rolledReceiver,
} from "@/lib/domain/warm-up/receivers";
import type { Warmup, WarmupInput } from "@/lib/domain/warm-up/schema";
import { defaultSchedule } from "@/lib/domain/warm-up/terms";
import { lockWarmup, saveWarmup, today } from "@/lib/domain/warm-up/store";
import { countWaiting, readUsage } from "@/lib/domain/warm-up/usage";
import { keptText, keptTextOrNull } from "@/lib/ground/texts/kept-text";
import { refuseStale } from "@/lib/ground/updates/stale";
import { getDomainRow, type DomainRow } from "./domains";

const historyDays = 90;
const farthestStartDays = 365;

async function readHistory(
  executor: Executor,
  domainId: string,
  since: string,
): Promise<Warmup["history"]> {
  const day = sql<string>`${warmupDays.day}::text`;
  const sum = (column: typeof warmupHours.campaigns) =>
    sql<number>`coalesce(sum(${column}), 0)::int`;
  const rows = await executor
    .select({
      day,
      cap: warmupDays.cap,
      transactional: sum(warmupHours.transactional),
      campaigns: sum(warmupHours.campaigns),
      bounced: sum(warmupHours.bounced),
      complained: sum(warmupHours.complained),
      slowed: warmupDays.slowed,
    })
    .from(warmupDays)
    .leftJoin(
      warmupHours,
      and(
        eq(warmupHours.domainId, warmupDays.domainId),
        sql`(${warmupHours.hour} at time zone 'UTC')::date = ${warmupDays.day}`,
      ),
    )
    .where(and(eq(warmupDays.domainId, domainId), gte(warmupDays.day, since)))
    .groupBy(warmupDays.domainId, warmupDays.day)
    .orderBy(warmupDays.day);
  return rows.map((row) => ({ ...row, slowed: keptTextOrNull(row.slowed) }));
}

async function toWarmup(executor: Executor, domain: DomainRow): Promise<Warmup> {
  const { id: domainId, projectId } = domain;
  const [plan] = await executor
    .select({ row: warmups, day: today })
    .from(warmups)
    .where(eq(warmups.domainId, domainId));
  if (!plan) {
    return {
      ...summaryOf(null, ""),
      schedule: [...defaultSchedule],
      hourlyCap: null,
      today: { transactional: 0, campaigns: 0 },
      remainingToday: null,
      waiting: 0,
      slowed: null,
      slowedReceivers: [],
      endsOn: null,
      history: [],
      updatedAt: null,
    };
  }
  const { day } = plan;
  const row = { ...plan.row, ...rolledOver(plan.row, day) };
  const summary = summaryOf(plan.row, day);
  const owner = { domainId, projectId };
  const usage = await readUsage(executor, owner, summary.dailyCap);
  return {
    ...summary,
    schedule: row.schedule,
    hourlyCap: summary.dailyCap === null ? null : hourlyCapOf(summary.dailyCap),
    today: usage.today,
    remainingToday: usage.leftToday === null ? null : Math.max(0, usage.leftToday),
    waiting: await countWaiting(executor, owner),
    slowed: slowedOf(row, summary.state),
    slowedReceivers:
      summary.dailyCap === null ? [] : await readSlowedReceivers(executor, owner, day),
    endsOn: summary.dailyCap === null ? null : lastDayOf(row),
    history: await readHistory(executor, domainId, addDays(day, -historyDays)),
    updatedAt: row.updatedAt?.toISOString() ?? null,
  };
}

function slowedOf(row: WarmupRow, state: Warmup["state"]): Warmup["slowed"] {
  if (state !== "slowed" || !row.slowedReason || !row.slowedAt) return null;
  return {
    reason: row.slowedReason,
    message: keptText(row.slowedMessage ?? ""),
    since: row.slowedAt.toISOString(),
    share: 1 / 2 ** row.slowed,
  };
}

async function readSlowedReceivers(
  executor: Executor,
  owner: Pick<WarmupRow, "domainId" | "projectId">,
  day: string,
): Promise<Warmup["slowedReceivers"]> {
  const stored = await executor
    .select()
    .from(warmupReceivers)
    .where(eq(warmupReceivers.domainId, owner.domainId))
    .orderBy(warmupReceivers.slowedAt, warmupReceivers.receiver);
  const rows = stored.flatMap((row) => rolledReceiver(row, day) ?? []);
  const rooms = await readReceiverRooms(executor, owner, rows);
  return rows.map((row, index) => ({
    receiver: row.receiver,
    dailyCap: receiverCap(row),
    sentToday: rooms[index]?.sentToday ?? 0,
    reason: row.reason,
    message: keptText(row.message),
    since: row.slowedAt.toISOString(),
    until: freeAgainOn(row),
  }));
}

/** The domain's plan, what has gone out today, and what waits. Throws NOT_FOUND. */
export async function getWarmup(ctx: Context, id: string): Promise<Warmup> {
  requireRole(ctx, "viewer");
  return toWarmup(ctx.db, await getDomainRow(ctx, id));
}

function checkStart(startedOn: string, day: string): void {
  if (startedOn > day) throw invalid("startedOn", `is in the future: today is ${day} in UTC`);
  if (daysBetween(startedOn, day) > farthestStartDays) {
    throw invalid("startedOn", `is more than ${farthestStartDays} days ago`);
  }
}

/**
 * Sets the plan by which the domain's campaign mail grows, or turns it off. Mail that no worker has begun
 * keeps to it from now on; turned off, all of it goes out. The plan of a domain that is not verified yet
 * starts with its verification. Throws NOT_FOUND, VALIDATION_ERROR; CONFLICT: it was changed since `basedOn`. Needs
 * admin.
 */
export async function setWarmup(ctx: Context, id: string, input: WarmupInput): Promise<Warmup> {
  requireRole(ctx, "admin");
  const domain = await getDomainRow(ctx, id);
  return ctx.db.transaction(async (tx) => {
    await tx
      .insert(warmups)
      .values({
        domainId: domain.id,
        projectId: ctx.projectId,
        enabled: false,
        schedule: [...defaultSchedule],
        startedOn: today,
        rolledOn: today,
      })
      .onConflictDoNothing();
    const locked = await lockWarmup(tx, domain.id);
    if (!locked) throw new Error("The plan that was written is gone.");
    const { row, day } = locked;
    refuseStale(input.basedOn, row.updatedAt);
    const begins = input.enabled && !row.enabled;
    const startedOn = input.startedOn ?? (begins ? day : row.startedOn);
    checkStart(startedOn, day);
    const again = begins || startedOn !== row.startedOn;
    const saved = await saveWarmup(tx, locked, {
      enabled: input.enabled,
      schedule: input.schedule ?? row.schedule,
      startedOn,
      ...(again ? { lag: 0, slowed: 0, slowedReason: null, slowedMessage: null } : {}),
      ...(begins ? { enabledAt: locked.at } : {}),
    });
    if (saved.cap !== null) {
      const { leftToday } = await readUsage(tx, saved.row, saved.cap);
      await holdBack(tx, saved.row, Math.max(0, -(leftToday ?? 0)));
    }
    const { enabled, schedule } = saved.row;
    await audit(tx, ctx, "update.warmup", id, { name: domain.name, enabled, startedOn, schedule });
    return toWarmup(tx, domain);
  });
}
