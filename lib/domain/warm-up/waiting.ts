import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { domains, emailQueue, hourlyFigures, messages, warmupHours, warmups } from "@/db/schema";
import { amount } from "@/lib/ground/amount";
import { keptText } from "@/lib/ground/texts/kept-text";
import { t } from "@/lib/ground/texts/t";
import { expectedEnd } from "./forecast";
import { rolledOver, summaryOf, type WarmupRow } from "./plan";
import type { WarmupWaiting } from "./schema";
import { today } from "./store";
import { campaignsOf, readUsage } from "./usage";

/** What all campaigns of the domain still have to send, and what transactional mail takes of a day. */
export async function readLoad(
  executor: Executor,
  row: WarmupRow,
): Promise<{ emails: number; transactional: number }> {
  const [load] = await executor.execute<{ emails: number; transactional: number }>(sql`
    with ${campaignsOf(row)}
    select coalesce(sum(mine.recipients - (
        select coalesce(sum(${hourlyFigures.settled}), 0) from ${hourlyFigures}
        where ${hourlyFigures.projectId} = ${row.projectId} and ${hourlyFigures.campaignId} = mine.id
      )), 0)::int as emails,
      (select coalesce(sum(${warmupHours.transactional}), 0)::int from ${warmupHours}
        where ${warmupHours.domainId} = ${row.domainId}
          and ${warmupHours.hour} >= app_now() - interval '24 hours') as transactional
    from mine where mine.status = 'SENDING'`);
  return load ?? { emails: 0, transactional: 0 };
}

/** What a campaign that is being sent waits for, by the uuid of its content; null: no warm-up. */
export async function findWaiting(
  executor: Executor,
  campaign: { id: string; status: string; messageId: string | null },
): Promise<WarmupWaiting | null> {
  if (campaign.status !== "SENDING" || campaign.messageId === null) return null;
  const [warmed] = await executor
    .select({ row: warmups, name: domains.name, day: today, at: sql<string>`app_now()` })
    .from(messages)
    .innerJoin(warmups, and(eq(warmups.domainId, messages.domainId), eq(warmups.enabled, true)))
    .innerJoin(domains, eq(domains.id, warmups.domainId))
    .where(eq(messages.id, campaign.messageId));
  if (!warmed) return null;
  const { row, name, day } = warmed;
  const { dailyCap, state } = summaryOf(row, day);
  const [waiting] = await executor
    .select({ id: emailQueue.emailId })
    .from(emailQueue)
    .where(and(eq(emailQueue.campaignId, campaign.id), isNotNull(emailQueue.warmupRank)))
    .limit(1);
  if (dailyCap === null || !waiting) return null;
  const at = new Date(warmed.at);
  const usage = await readUsage(executor, row, dailyCap);
  const load = await readLoad(executor, row);
  const plan = { ...row, ...rolledOver(row, day) };
  const end = expectedEnd(plan, at, { ...load, usage });
  const figures = { name, cap: amount(dailyCap) };
  return {
    reason: "warm_up",
    message:
      state === "slowed" && row.slowedMessage
        ? t(
            "{name} is being warmed up: {cap} emails may go out today, at most a tenth of them in an hour. It is slowed: {why}",
            { ...figures, why: keptText(row.slowedMessage) },
          )
        : t(
            "{name} is being warmed up: {cap} emails may go out today, at most a tenth of them in an hour.",
            figures,
          ),
    expectedEndAt: end?.toISOString() ?? null,
  };
}
