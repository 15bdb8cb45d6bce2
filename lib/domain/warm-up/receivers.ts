import { and, eq, inArray, sql } from "drizzle-orm";
import { excluded } from "@/db/names";
import type { Executor, Transaction } from "@/db/client";
import { emailQueue, emails, warmupReceiverHours, warmupReceivers } from "@/db/schema";
import { receiverOf } from "@/lib/domain/receivers/receiver-of";
import type { Verdict } from "@/lib/domain/guard/thresholds";
import { addDays, mostHalvings, type WarmupRow } from "./plan";
import type { LockedWarmup } from "./store";
import { awakeOfMine, campaignsOf } from "./usage";

/*
 * A receiver that is slowed gets half of its usual mail (a quarter, where it is bad), and twice as much on each
 * good day after that, until it gets eight times the usual: then its share is the domain's again.
 */

export type SlowedReceiverRow = typeof warmupReceivers.$inferSelect;

/** After this many doublings beyond the usual, it has no limit of its own. */
const mostDoublings = 3;

/** Why a receiver is to get less. */
export interface ReceiverTrouble {
  receiver: string;
  reason: SlowedReceiverRow["reason"];
  verdict: Exclude<Verdict, "healthy">;
  message: string;
  /** Emails on its best day of the last seven. */
  usual: number;
}

/** Emails a day that it gets at most. */
export const receiverCap = ({
  usual,
  slowed,
}: Pick<SlowedReceiverRow, "usual" | "slowed">): number =>
  Math.max(1, Math.floor(usual / 2 ** slowed));

/** A receiver as it is on a day; null: its share is the domain's again. */
export function rolledReceiver(row: SlowedReceiverRow, day: string): SlowedReceiverRow | null {
  let { slowed } = row;
  const slowedOn = row.slowedAt.toISOString().slice(0, 10);
  for (let past = row.rolledOn; past < day && slowed >= -mostDoublings; past = addDays(past, 1)) {
    // The day of the slow-down is not a good day.
    if (slowedOn < past) slowed--;
  }
  return slowed < -mostDoublings ? null : { ...row, slowed, rolledOn: day };
}

/** The first day on which it has no limit of its own, if all days are good from now on. */
export function freeAgainOn({ slowed, slowedAt, rolledOn }: SlowedReceiverRow): string {
  const firstGood = addDays(slowedAt.toISOString().slice(0, 10), 1);
  const from = rolledOn > firstGood ? rolledOn : firstGood;
  return addDays(from, slowed + mostDoublings + 1);
}

/** The receivers that are slowed, as they are today. Under the plan's lock. */
export async function lockReceivers(
  tx: Transaction,
  { row, day }: LockedWarmup,
): Promise<SlowedReceiverRow[]> {
  const stored = await tx
    .select()
    .from(warmupReceivers)
    .where(eq(warmupReceivers.domainId, row.domainId));
  const rolled = stored.flatMap((one) => rolledReceiver(one, day) ?? []);
  const gone = stored.filter(({ receiver }) => !rolled.some((one) => one.receiver === receiver));
  if (gone.length > 0) {
    const names = gone.map(({ receiver }) => receiver);
    await tx
      .delete(warmupReceivers)
      .where(
        and(eq(warmupReceivers.domainId, row.domainId), inArray(warmupReceivers.receiver, names)),
      );
  }
  const moved = rolled.filter((one) =>
    stored.some(({ receiver, rolledOn }) => receiver === one.receiver && rolledOn !== one.rolledOn),
  );
  await save(tx, moved);
  return rolled;
}

async function save(tx: Transaction, rows: SlowedReceiverRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insert(warmupReceivers)
    .values(rows)
    .onConflictDoUpdate({
      target: [warmupReceivers.domainId, warmupReceivers.receiver],
      set: {
        usual: excluded(warmupReceivers.usual),
        slowed: excluded(warmupReceivers.slowed),
        reason: excluded(warmupReceivers.reason),
        message: excluded(warmupReceivers.message),
        slowedAt: excluded(warmupReceivers.slowedAt),
        rolledOn: excluded(warmupReceivers.rolledOn),
      },
    });
}

/** The plan has ended: no receiver is held back any longer. */
export async function forgetReceivers(tx: Transaction, domainId: string): Promise<void> {
  await tx.delete(warmupReceivers).where(eq(warmupReceivers.domainId, domainId));
}

/** Gives receivers less because of what became of their mail. Resolves to all that are slowed. */
export async function slowReceivers(
  tx: Transaction,
  { row, day, at }: LockedWarmup,
  slowed: readonly SlowedReceiverRow[],
  troubles: readonly ReceiverTrouble[],
): Promise<SlowedReceiverRow[]> {
  const changed = troubles.map(({ receiver, reason, verdict, message, usual }) => {
    const before = slowed.find((one) => one.receiver === receiver);
    const halvings = verdict === "tooHigh" ? 2 : 1;
    return {
      domainId: row.domainId,
      receiver,
      // One on its way back counts from what it had reached.
      usual: before ? (before.slowed < 0 ? receiverCap(before) : before.usual) : usual,
      slowed: Math.min(mostHalvings, Math.max(0, before?.slowed ?? 0) + halvings),
      ...{ reason, message, slowedAt: at, rolledOn: day },
    };
  });
  await save(tx, changed);
  const names = new Set(changed.map(({ receiver }) => receiver));
  return [...slowed.filter(({ receiver }) => !names.has(receiver)), ...changed];
}

/** A receiver's room today; below 0: more was let out than it has room for. */
export interface ReceiverRoom {
  receiver: string;
  sentToday: number;
  left: number;
}

/** What slowed receivers may still get today. */
export async function readReceiverRooms(
  executor: Executor,
  owner: Pick<WarmupRow, "domainId" | "projectId">,
  slowed: readonly SlowedReceiverRow[],
): Promise<ReceiverRoom[]> {
  if (slowed.length === 0) return [];
  const names = sql.param(slowed.map(({ receiver }) => receiver));
  const rows = await executor.execute<{ receiver: string; sent: number; under_way: number }>(sql`
    with ${campaignsOf(owner)}, under_way as (
      select ${receiverOf(sql`${emails.recipient}`)} as receiver, count(*)::int as emails
      from mine join ${emailQueue} on ${awakeOfMine} join ${emails} on ${emails.id} = ${emailQueue.emailId}
      group by 1
    ), sent as (
      select ${warmupReceiverHours.receiver}, sum(${warmupReceiverHours.sent})::int as emails
      from ${warmupReceiverHours}
      where ${warmupReceiverHours.domainId} = ${owner.domainId}
        and ${warmupReceiverHours.hour} >= date_trunc('day', app_now(), 'UTC')
      group by 1
    )
    select name as receiver, coalesce(sent.emails, 0) as sent, coalesce(under_way.emails, 0) as under_way
    from unnest(${names}::text[]) name
      left join sent on sent.receiver = name left join under_way on under_way.receiver = name`);
  const byName = new Map(rows.map((one) => [one.receiver, one]));
  return slowed.map((one) => {
    const { sent = 0, under_way: underWay = 0 } = byName.get(one.receiver) ?? {};
    return {
      receiver: one.receiver,
      sentToday: sent,
      left: receiverCap(one) - sent - underWay,
    };
  });
}
