import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import type { CampaignRow } from "@/lib/domain/campaigns/readiness";
import { addFigures } from "@/lib/ground/counters/counters";
import { emailEventDeliveries, wakeDeliveries } from "@/lib/ground/events/emit";
import { failureData } from "@/lib/ground/events/failure-data";

const endedAtOnce = 20_000;

/**
 * Whether some recipient's mail was never tried: it waits for its first try, or a worker holds it for
 * that, be it the second worker after the first one died. Later tries of what a server put off are none.
 * Finds one at once while there are many.
 */
export async function hasUntried(executor: Executor, campaignId: string): Promise<boolean> {
  const rows = await executor.execute(sql`
    select 1 as one from emails
    where campaign_id = ${campaignId} and campaign_id is not null and due_at is not null
      and status = 'PENDING' and (attempts = 0 or lease_id is not null and not exists (
        select from email_events where email_id = emails.id and name = 'deferred'))
    order by due_at limit 1`);
  return rows.length > 0;
}

/** Whether the domain that the campaign's frozen content is sent from is still verified. */
export async function senderStands(executor: Executor, messageId: string): Promise<boolean> {
  const rows = await executor.execute(sql`
    select 1 as one from messages m
    join domains d on d.id = m.domain_id and d.project_id = m.project_id
    where m.id = ${messageId} and d.status = 'VERIFIED'`);
  return rows.length > 0;
}

/**
 * Ends what still waits of a campaign that goes on no more: FAILED, with the reason in its event, so that
 * the figures add up. What a worker is handing over is left to it: `held`; `some`: there is more.
 */
export async function endWaiting(
  executor: Executor,
  campaign: CampaignRow,
): Promise<"all" | "some" | "held"> {
  const data = failureData(
    campaign.status === "CANCELLED" ? "campaign_cancelled" : "campaign_failed",
  );
  const [row] = await executor.execute<{ ended: number; held: boolean }>(sql`
    with chosen as materialized (
      select id, status from emails
      where campaign_id = ${campaign.id} and campaign_id is not null and due_at is not null
        and (lease_id is null or due_at <= app_now())
      limit ${endedAtOnce} for update skip locked
    ), ended as (
      update emails set due_at = null, lease_id = null,
        status = case when chosen.status = 'PENDING' then 'FAILED' else chosen.status end
      from chosen where emails.id = chosen.id
      returning emails.id, emails.project_id, emails.campaign_id, 1 as settled,
        (chosen.status = 'PENDING')::int as failed
    ), noted as (
      insert into email_events (project_id, email_id, name, data)
      select project_id, id, 'failed', ${JSON.stringify(data)}::jsonb
      from ended where failed = 1
      returning id, project_id, email_id, name, data, created_at
    ), deliveries as (${emailEventDeliveries(sql`noted`)}
    ), counted as (${addFigures("ended", ["settled", "failed"])})
    select ${wakeDeliveries(sql`deliveries`)} as woken,
      (select count(*)::int from ended) as ended, exists (
      select from emails
      where campaign_id = ${campaign.id} and campaign_id is not null and due_at is not null
        and id not in (select id from chosen)
    ) as held`);
  if (!row?.held) return "all";
  return row.ended === endedAtOnce ? "some" : "held";
}
