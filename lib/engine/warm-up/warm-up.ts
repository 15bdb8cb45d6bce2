import { sql, type SQL } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import { assignments } from "@/db/names";
import { campaigns, emailQueue, emails, messages, warmups } from "@/db/schema";
import { receiverOf } from "@/lib/domain/receivers/receiver-of";
import { holdBack } from "@/lib/domain/warm-up/hold-back";
import {
  forgetReceivers,
  lockReceivers,
  readReceiverRooms,
  slowReceivers,
  type ReceiverRoom,
} from "@/lib/domain/warm-up/receivers";
import { lockWarmup, slowDown, today, type LockedWarmup } from "@/lib/domain/warm-up/store";
import { campaignsOf, readUsage, waitingOfMine } from "@/lib/domain/warm-up/usage";
import { newPlace, queuedIn } from "@/lib/ground/queue/email-queue";
import { announce } from "@/lib/ground/queue/announce";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { findReceiverTroubles, findTrouble } from "./trouble";

/*
 * While a domain is being warmed up, its campaign mail is written as waiting (warmup_rank). A run lets out as much
 * as the day and the hour have room for; the claim of mail knows nothing about it. All under the lock of the
 * domain's plan, so that any number of workers keep to one cap.
 */

/** How many emails one transaction lets out. */
const atOnce = 20_000;

/** What a run did. */
export interface WarmupSummary {
  /** Emails let out. */
  released: number;
  /** Emails that had been let out and have to wait again. */
  heldBack: number;
}

/** Brings every domain's plan up to date and lets out what may go, until that is done or the signal aborts. */
export async function runWarmups(db: Database, signal: AbortSignal): Promise<WarmupSummary> {
  const summary = { released: 0, heldBack: 0 };
  const due = await db.execute<{ domain_id: string }>(sql`
    select ${warmups.domainId} from ${warmups}
    where ${worksHere(warmups.projectId)} and (${warmups.enabled} and ${warmups.rolledOn} < ${today} or exists (
      select from ${campaigns} join ${messages} on ${messages.id} = ${campaigns.messageId}
      where ${campaigns.projectId} = ${warmups.projectId}
        and ${campaigns.status} in ('SENDING', 'PAUSED')
        and ${messages.domainId} = ${warmups.domainId}))
    order by random()`);
  for (const { domain_id: domainId } of due) {
    for (let more = true; more && !signal.aborted;) {
      const turn = await db.transaction((tx) => takeTurn(tx, domainId));
      if (turn.released > 0) announce(db, "emails_due");
      summary.released += turn.released;
      summary.heldBack += turn.heldBack;
      more = turn.released === atOnce;
    }
  }
  return summary;
}

async function takeTurn(tx: Transaction, domainId: string): Promise<WarmupSummary> {
  const locked = await lockWarmup(tx, domainId);
  if (!locked) return { released: 0, heldBack: 0 };
  if (locked.cap === null) {
    await forgetReceivers(tx, domainId);
    return { released: await release(tx, locked, atOnce, []), heldBack: 0 };
  }
  const receivers = await slowReceivers(
    tx,
    locked,
    await lockReceivers(tx, locked),
    await findReceiverTroubles(tx, locked.row),
  );
  const trouble = await findTrouble(tx, locked.row, receivers);
  const plan = trouble ? await slowDown(tx, locked, trouble) : locked;
  const { leftToday, leftNow } = await readUsage(tx, plan.row, plan.cap);
  const heldBack = await holdBack(tx, plan.row, Math.max(0, -(leftToday ?? 0)));
  const rooms = await readReceiverRooms(tx, plan.row, receivers);
  const released = await release(tx, plan, Math.min(atOnce, leftNow ?? 0), rooms);
  return { released, heldBack };
}

/**
 * SQL for mail that may be let out, that of the most engaged people first; for slowed receivers, no more than they
 * have room for.
 */
function chosenOf(rooms: readonly ReceiverRoom[], most: number): SQL {
  const next = (taker: SQL, condition: SQL, join: SQL) => sql`waiting as (
      select next.*,
        row_number() over (partition by mine.id order by next.warmup_rank, next.email_id) as turn
      from mine cross join lateral (
        select ${emailQueue.emailId}, ${emailQueue.warmupRank}${taker} from ${emailQueue}${join}
        where ${waitingOfMine}${condition}
        order by ${emailQueue.warmupRank}, ${emailQueue.emailId} limit ${most}
      ) next
      where mine.status = 'SENDING'
    )`;
  if (rooms.length === 0) {
    return sql`${next(sql``, sql``, sql``)}, chosen as (
      select email_id from waiting order by warmup_rank, turn, email_id limit ${most}
    )`;
  }
  const names = (full: boolean) =>
    sql.param(rooms.filter(({ left }) => left <= 0 === full).map(({ receiver }) => receiver));
  const lefts = sql.param(rooms.filter(({ left }) => left > 0).map(({ left }) => left));
  return sql`${next(
    sql`, taker.receiver`,
    sql` and taker.receiver <> all(${names(true)}::text[])`,
    sql` join ${emails} on ${emails.id} = ${emailQueue.emailId}
          cross join lateral (select ${receiverOf(sql`${emails.recipient}`)} as receiver) taker`,
  )}, placed as (
      select *, row_number() over (partition by receiver order by warmup_rank, turn, email_id) as place
      from waiting
    ), chosen as (
      select email_id from placed
        left join unnest(${names(false)}::text[], ${lefts}::int[]) as room(name, places) on room.name = receiver
      where room.name is null or place <= room.places
      order by warmup_rank, turn, email_id limit ${most}
    )`;
}

/**
 * Lets out the most engaged people's mail across all campaigns being sent, which take turns when people are equally
 * engaged.
 */
async function release(
  tx: Transaction,
  { row }: LockedWarmup,
  most: number,
  rooms: readonly ReceiverRoom[],
): Promise<number> {
  if (most <= 0) return 0;
  const [released] = await tx.execute<{ released: number }>(sql`
    with ${campaignsOf(row)}, ${chosenOf(rooms, most)}, released as (
      update ${emailQueue} set ${assignments(emailQueue, {
        warmupRank: sql`null`,
        dueAt: sql`app_now()`,
        place: newPlace,
      })}
      where ${queuedIn("chosen", "email_id")} and ${emailQueue.warmupRank} is not null
      returning 1
    )
    select count(*)::int as released from released`);
  return released?.released ?? 0;
}
