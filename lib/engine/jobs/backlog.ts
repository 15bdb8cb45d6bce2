import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { emailQueue, webhookDeliveries } from "@/db/schema";
import { findHold } from "@/lib/domain/sending-state/hold";

/**
 * transactional, campaign: can be claimed, or is claimed. later: scheduled, or waiting for a retry. warming:
 * waiting for its domain's warm-up.
 */
export const mailLanes = ["transactional", "campaign", "later", "warming"] as const;

interface Waiting {
  count: number;
  /** How long the oldest has been due, in seconds; 0 when nothing is due. */
  oldestSeconds: number;
}

export interface Backlog {
  mail: Record<(typeof mailLanes)[number], Waiting>;
  webhooks: Waiting;
  /** Whether no worker may start mail. */
  held: boolean;
}

/** Beyond this, the figures are not worth their cost. */
const longestSeconds = 5;

const overdue = (dueAt: typeof emailQueue.dueAt | typeof webhookDeliveries.dueAt) => sql`
  coalesce(extract(epoch from app_now()
    - min(${dueAt}) filter (where ${dueAt} <= app_now()))::float8, 0) as seconds`;

const readWaiting = sql`
  select case
      when ${emailQueue.warmupRank} is not null then 'warming'
      when ${emailQueue.asleep} then 'later'
      when ${emailQueue.campaignId} is null then 'transactional'
      else 'campaign'
    end as lane, count(*)::int as count, ${overdue(emailQueue.dueAt)}
  from ${emailQueue} group by 1
  union all
  select 'webhooks', count(*)::int, ${overdue(webhookDeliveries.dueAt)}
  from ${webhookDeliveries} where ${webhookDeliveries.dueAt} is not null`;

/**
 * What is waiting in the whole installation, and for how long, read in one statement. Throws when it takes too
 * long.
 */
export async function readBacklog(db: Database): Promise<Backlog> {
  const rows = await db.transaction(
    async (tx) => {
      await tx.execute(sql.raw(`set local statement_timeout = '${longestSeconds}s'`));
      return tx.execute<{ lane: string; count: number; seconds: number }>(readWaiting);
    },
    { accessMode: "read only" },
  );
  const byLane = new Map(
    rows.map(({ lane, count, seconds }) => [lane, { count, oldestSeconds: seconds }]),
  );
  const of = (lane: string) => byLane.get(lane) ?? { count: 0, oldestSeconds: 0 };
  const mail = Object.fromEntries(mailLanes.map((lane) => [lane, of(lane)])) as Backlog["mail"];
  return { mail, webhooks: of("webhooks"), held: (await findHold(db)) !== null };
}
