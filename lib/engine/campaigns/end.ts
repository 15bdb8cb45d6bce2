import { and, eq, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { assignments, insertSelected, newIdOf } from "@/db/names";
import { domains, emailEvents, emailQueue, emails, messages } from "@/db/schema";
import type { CampaignRow } from "@/lib/domain/campaigns/readiness";
import { addFigures } from "@/lib/ground/counters/counters";
import { emailEventColumns, emailEventDeliveries, wakeDeliveries } from "@/lib/ground/events/emit";
import { failureData } from "@/lib/ground/events/failure-data";
import {
  asleepOfCampaigns,
  awakeOfCampaigns,
  queuedIn,
  warmingMail,
} from "@/lib/ground/queue/email-queue";

const endedAtOnce = 20_000;
/** This long after the end of its lease, nobody reports an email's outcome any more. */
const abandonedSeconds = 90;

const ofCampaign = (campaignId: string) => sql`${emailQueue.campaignId} = ${campaignId}`;
const awake = (campaignId: string) => sql`${ofCampaign(campaignId)} and ${awakeOfCampaigns}`;
const asleep = (campaignId: string) => sql`${ofCampaign(campaignId)} and ${asleepOfCampaigns}`;
const warming = (campaignId: string) => sql`${ofCampaign(campaignId)} and ${warmingMail}`;

/**
 * Whether some recipient's mail has never been tried: it waits for the warm-up, its hour or its turn, or a worker
 * holds it for its first try, even if it is a second worker after the first one died. Retries of deferred mail do
 * not count: they sleep after a try, or have an event. Finds one at once while there are many.
 */
export async function hasUntried(executor: Executor, campaignId: string): Promise<boolean> {
  const [row] = await executor.execute<{ untried: boolean }>(sql`
    select exists (select from ${emailQueue} where ${warming(campaignId)})
      or exists (
        select from ${emailQueue} where ${asleep(campaignId)}
          and ${emailQueue.dueAt} < 'infinity' and ${emailQueue.attempts} = 0)
      or exists (
        select from ${emailQueue} join ${emails} on ${emails.id} = ${emailQueue.emailId}
        where ${awake(campaignId)} and ${emails.status} = 'PENDING'
          and (${emailQueue.attempts} = 0 or ${emailQueue.leaseId} is not null and not exists (
            select from ${emailEvents}
            where ${emailEvents.emailId} = ${emails.id} and ${emailEvents.name} = 'deferred'))
        order by ${emailQueue.place}, ${emailQueue.emailId} limit 1
      ) as untried`);
  return row?.untried ?? false;
}

/** Whether the domain that the campaign's frozen content is sent from is still verified. */
export async function senderStands(executor: Executor, messageId: string): Promise<boolean> {
  const rows = await executor
    .select({ id: domains.id })
    .from(messages)
    .innerJoin(
      domains,
      and(eq(domains.id, messages.domainId), eq(domains.projectId, messages.projectId)),
    )
    .where(and(eq(messages.id, messageId), eq(domains.status, "VERIFIED")));
  return rows.length > 0;
}

/**
 * Ends the waiting mail of a campaign that has stopped for good: FAILED, with the reason in its event, so that the
 * figures add up. Mail that a worker is handing over is left to that worker: `held`; `some`: there is more.
 */
export async function endWaiting(
  executor: Executor,
  campaign: CampaignRow,
): Promise<"all" | "some" | "held"> {
  const data = failureData(
    campaign.status === "CANCELLED" ? "campaign_cancelled" : "campaign_failed",
  );
  const [row] = await executor.execute<{ ended: number; held: boolean }>(sql`
    with due as materialized (
      select ${emailQueue.emailId} from ${emailQueue}
      where ${awake(campaign.id)}
        and (${emailQueue.leaseId} is null
          or ${emailQueue.leaseUntil} <= app_now() - make_interval(secs => ${abandonedSeconds}::float8))
      limit ${endedAtOnce} for update skip locked
    ), later as materialized (
      select ${emailQueue.emailId} from ${emailQueue}
      where ${asleep(campaign.id)}
      limit ${endedAtOnce} for update skip locked
    ), warming as materialized (
      select ${emailQueue.emailId} from ${emailQueue}
      where ${warming(campaign.id)}
      limit ${endedAtOnce} for update skip locked
    ), chosen as materialized (
      select * from due union all select * from later union all select * from warming
    ), gone as (
      delete from ${emailQueue} where ${queuedIn("chosen", "email_id")}
      returning ${emailQueue.emailId}, ${emailQueue.attempts}
    ), before as materialized (
      select ${emails.id}, ${emails.status}, gone.attempts
      from gone join ${emails} on ${emails.id} = gone.email_id
      for update of ${emails}
    ), ended as (
      update ${emails} set ${assignments(emails, {
        attempts: sql`before.attempts`,
        status: sql`case when before.status = 'PENDING' then 'FAILED' else before.status end`,
      })}
      from before where ${emails.id} = before.id
      returning ${emails.id}, ${emails.projectId}, ${emails.campaignId}, ${emails.variant}, 1 as settled,
        (before.status = 'PENDING')::int as failed
    ), noted as (
      ${insertSelected(emailEvents, {
        id: newIdOf(sql`project_id`),
        projectId: sql`project_id`,
        emailId: sql`id`,
        name: sql`'failed'`,
        data: sql`${JSON.stringify(data)}::jsonb`,
      })}
      from ended where failed = 1
      returning ${emailEventColumns}
    ), deliveries as (${emailEventDeliveries(sql`noted`)}
    ), counted as (${addFigures("ended", ["settled", "failed"], { variants: true })})
    select ${wakeDeliveries(sql`deliveries`)} as woken,
      (select count(*)::int from ended) as ended, exists (
      select from ${emailQueue}
      where ${awake(campaign.id)} and ${emailQueue.emailId} not in (select email_id from chosen)
      union all
      select from ${emailQueue}
      where ${asleep(campaign.id)} and ${emailQueue.emailId} not in (select email_id from chosen)
      union all
      select from ${emailQueue}
      where ${warming(campaign.id)} and ${emailQueue.emailId} not in (select email_id from chosen)
    ) as held`);
  if (!row?.held) return "all";
  return row.ended >= endedAtOnce ? "some" : "held";
}
