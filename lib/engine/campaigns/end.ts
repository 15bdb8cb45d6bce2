import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { assignments, insertSelected } from "@/db/names";
import { domains, emailEvents, emails, messages } from "@/db/schema";
import type { CampaignRow } from "@/lib/domain/campaigns/readiness";
import { addFigures } from "@/lib/ground/counters/counters";
import { emailEventColumns, emailEventDeliveries, wakeDeliveries } from "@/lib/ground/events/emit";
import { failureData } from "@/lib/ground/events/failure-data";

const endedAtOnce = 20_000;
/** So long after the end of its lease nobody comes back any more with what became of an email. */
const abandonedSeconds = 90;

/** A campaign's waiting mail, in the words of the indexes emails_campaign_awake and emails_campaign_asleep. */
const waitingOf = (campaignId: string, asleep: SQL) =>
  sql`${emails.campaignId} = ${campaignId} and ${emails.campaignId} is not null
    and ${emails.dueAt} is not null and ${asleep}`;
const awake = sql`not ${emails.asleep}`;
const asleep = sql`${emails.asleep}`;
const warming = (campaignId: string) =>
  sql`${emails.campaignId} = ${campaignId} and ${emails.warmupRank} is not null`;

/**
 * Whether some recipient's mail was never tried: it waits for the warm-up, its hour or its turn, or a worker
 * holds it for that, be it the second worker after the first one died. Later tries of what a server put off are none:
 * they sleep after a try, or have an event.
 * Finds one at once while there are many.
 */
export async function hasUntried(executor: Executor, campaignId: string): Promise<boolean> {
  const waiting = await executor
    .select({ id: emails.id })
    .from(emails)
    .where(warming(campaignId))
    .limit(1);
  if (waiting.length > 0) return true;
  const sleeping = await executor
    .select({ id: emails.id })
    .from(emails)
    .where(
      sql`${waitingOf(campaignId, asleep)} and ${emails.attempts} = 0 and ${emails.dueAt} < 'infinity'`,
    )
    .limit(1);
  if (sleeping.length > 0) return true;
  const rows = await executor
    .select({ id: emails.id })
    .from(emails)
    .where(
      sql`${waitingOf(campaignId, awake)} and ${emails.status} = 'PENDING'
        and (${emails.attempts} = 0 or ${emails.leaseId} is not null and not exists (
          select from ${emailEvents}
          where ${emailEvents.emailId} = ${emails.id} and ${emailEvents.name} = 'deferred'))`,
    )
    .orderBy(asc(emails.dueAt))
    .limit(1);
  return rows.length > 0;
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
 * Ends the waiting mail of a campaign that has stopped for good: FAILED, with the reason in its event, so
 * that the figures add up. Mail that a worker is handing over is left to it: `held`; `some`: there is more.
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
      select ${emails.id}, ${emails.status} from ${emails}
      where ${waitingOf(campaign.id, awake)}
        and (${emails.leaseId} is null
          or ${emails.dueAt} <= app_now() - make_interval(secs => ${abandonedSeconds}::float8))
      limit ${endedAtOnce} for update skip locked
    ), later as materialized (
      select ${emails.id}, ${emails.status} from ${emails}
      where ${waitingOf(campaign.id, asleep)}
      limit ${endedAtOnce} for update skip locked
    ), warming as materialized (
      select ${emails.id}, ${emails.status} from ${emails}
      where ${warming(campaign.id)}
      limit ${endedAtOnce} for update skip locked
    ), chosen as materialized (
      select * from due union all select * from later union all select * from warming
    ), ended as (
      update ${emails} set ${assignments(emails, {
        dueAt: sql`null`,
        leaseId: sql`null`,
        warmupRank: sql`null`,
        status: sql`case when chosen.status = 'PENDING' then 'FAILED' else chosen.status end`,
      })}
      from chosen where ${emails.id} = chosen.id
      returning ${emails.id}, ${emails.projectId}, ${emails.campaignId}, ${emails.variant}, 1 as settled,
        (chosen.status = 'PENDING')::int as failed
    ), noted as (
      ${insertSelected(emailEvents, {
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
      select from ${emails}
      where ${waitingOf(campaign.id, awake)} and ${emails.id} not in (select id from chosen)
      union all
      select from ${emails}
      where ${waitingOf(campaign.id, asleep)} and ${emails.id} not in (select id from chosen)
      union all
      select from ${emails}
      where ${warming(campaign.id)} and ${emails.id} not in (select id from chosen)
    ) as held`);
  if (!row?.held) return "all";
  return row.ended >= endedAtOnce ? "some" : "held";
}
