import { sql } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import { assignments } from "@/db/names";
import { campaigns, emailQueue, messages, warmups } from "@/db/schema";
import { holdBack } from "@/lib/domain/warm-up/hold-back";
import { lockWarmup, slowDown, today, type LockedWarmup } from "@/lib/domain/warm-up/store";
import { campaignsOf, readUsage, waitingOfMine } from "@/lib/domain/warm-up/usage";
import { newPlace, queuedIn } from "@/lib/ground/queue/email-queue";
import { findTrouble } from "./trouble";

/*
 * A domain that is warmed up has its campaign mail written down as waiting (warmup_rank). A run lets out
 * what the day and the hour have room for; the claim of mail knows nothing of it. All under the
 * lock of the domain's plan, so that any number of workers keep to one cap.
 */

/** Emails that one transaction lets out. */
const atOnce = 20_000;

/** What a run did. */
export interface WarmupSummary {
  /** Emails let out. */
  released: number;
  /** Emails that were let out and have to wait again. */
  heldBack: number;
}

/** Brings every domain's plan to today and lets out what may go, until that is done or the signal aborts. */
export async function runWarmups(db: Database, signal: AbortSignal): Promise<WarmupSummary> {
  const summary = { released: 0, heldBack: 0 };
  const due = await db.execute<{ domain_id: string }>(sql`
    select ${warmups.domainId} from ${warmups}
    where ${warmups.enabled} and ${warmups.rolledOn} < ${today} or exists (
      select from ${campaigns} join ${messages} on ${messages.id} = ${campaigns.messageId}
      where ${campaigns.projectId} = ${warmups.projectId}
        and ${campaigns.status} in ('SENDING', 'PAUSED')
        and ${messages.domainId} = ${warmups.domainId})
    order by random()`);
  for (const { domain_id: domainId } of due) {
    for (let more = true; more && !signal.aborted;) {
      const turn = await db.transaction((tx) => takeTurn(tx, domainId));
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
  const trouble = locked.cap === null ? null : await findTrouble(tx, locked.row);
  const plan = trouble ? await slowDown(tx, locked, trouble) : locked;
  if (plan.cap === null) return { released: await release(tx, plan, atOnce), heldBack: 0 };
  const { leftToday, leftNow } = await readUsage(tx, plan.row, plan.cap);
  const heldBack = await holdBack(tx, plan.row, Math.max(0, -(leftToday ?? 0)));
  const released = await release(tx, plan, Math.min(atOnce, leftNow ?? 0));
  return { released, heldBack };
}

/** Lets out the most engaged people's mail of all campaigns that send; where they are alike, in turns. */
async function release(tx: Transaction, { row }: LockedWarmup, most: number): Promise<number> {
  if (most <= 0) return 0;
  const [released] = await tx.execute<{ released: number }>(sql`
    with ${campaignsOf(row)}, waiting as (
      select next.email_id, next.warmup_rank,
        row_number() over (partition by mine.id order by next.warmup_rank, next.email_id) as turn
      from mine cross join lateral (
        select ${emailQueue.emailId}, ${emailQueue.warmupRank} from ${emailQueue}
        where ${waitingOfMine} order by ${emailQueue.warmupRank}, ${emailQueue.emailId} limit ${most}
      ) next
      where mine.status = 'SENDING'
    ), chosen as (
      select email_id from waiting order by warmup_rank, turn, email_id limit ${most}
    ), released as (
      update ${emailQueue} set ${assignments(emailQueue, {
        warmupRank: sql`null`,
        dueAt: sql`app_now()`,
        place: newPlace,
      })}
      where ${queuedIn("chosen", "email_id")} and ${emailQueue.warmupRank} is not null
      returning 1
    )
    select count(*)::int as released,
      (select pg_notify('emails_due', '') from released limit 1) as woken from released`);
  return released?.released ?? 0;
}
