import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { campaigns, emailQueue, messages, warmupHours } from "@/db/schema";
import { asleepOfCampaigns, awakeOfCampaigns, warmingMail } from "@/lib/ground/queue/email-queue";
import { hourlyCapOf, shareByMinute, type WarmupRow } from "./plan";

type Owner = Pick<WarmupRow, "domainId" | "projectId">;

/** Later tries go on for four days after a campaign has ended. */
const triedAfterEndDays = 5;

/** `mine`: the domain's campaigns that may have mail to send, tests with a captured mailbox left out. */
export const campaignsOf = ({ domainId, projectId }: Owner) => sql`mine as materialized (
    select ${campaigns.id}, ${campaigns.status}, ${campaigns.recipients}
    from ${campaigns} join ${messages} on ${messages.id} = ${campaigns.messageId}
    where ${campaigns.projectId} = ${projectId} and ${messages.domainId} = ${domainId}
      and not ${campaigns.test} and (${campaigns.finishedAt} is null
        or ${campaigns.finishedAt} > app_now() - make_interval(days => ${triedAfterEndDays}))
  )`;

export const awakeOfMine = sql`${emailQueue.campaignId} = mine.id and ${awakeOfCampaigns}`;
const asleepOfMine = sql`${emailQueue.campaignId} = mine.id and ${asleepOfCampaigns}
  and ${emailQueue.dueAt} < 'infinity'`;
/** Asleep for a moment before its first try: other mail sleeps until its person's hour. */
const putOff = sql`(${emailQueue.attempts} = 0
  and ${emailQueue.dueAt} < app_now() + interval '10 minutes')`;
export const waitingOfMine = sql`${emailQueue.campaignId} = mine.id and ${warmingMail}`;

/** Let out, and no worker has begun it. */
export const untried = sql`${emailQueue.leaseId} is null and ${emailQueue.attempts} = 0`;

interface Sent extends Record<string, unknown> {
  transactional: number;
  campaigns: number;
}

/** What went out today and in this hour, and what campaigns may still send. */
export interface Usage {
  today: Sent;
  hour: Sent;
  /** Campaign mail that was let out but has not left: it will count today. */
  underWay: number;
  /** The part of it that waits for a later try. */
  later: number;
  /** Below 0: more was let out than the day has room for. null: no cap. */
  leftToday: number | null;
  /** The part of what is left today that may go within this hour. */
  leftThisHour: number | null;
  /** The part of that which may go by now: the hour's share is spread over the hour. */
  leftNow: number | null;
}

/**
 * Counts in one statement: mail that leaves meanwhile moves from "under way" to "sent" at once, and so is
 * never missed. Tries after a refusal count only towards the day's cap: a silent server would otherwise
 * use up every hour's.
 */
export async function readUsage(
  executor: Executor,
  owner: Owner,
  cap: number | null,
): Promise<Usage> {
  const within = (unit: "day" | "hour", column: typeof warmupHours.campaigns) => sql`
    coalesce(sum(${column}) filter (
      where ${warmupHours.hour} >= date_trunc(${sql.raw(`'${unit}'`)}, app_now(), 'UTC')), 0)::int`;
  const [row] = await executor.execute<Record<string, number>>(sql`
    with ${campaignsOf(owner)}, sent as (
      select ${within("day", warmupHours.transactional)} as day_transactional,
        ${within("day", warmupHours.campaigns)} as day_campaigns,
        ${within("hour", warmupHours.transactional)} as hour_transactional,
        ${within("hour", warmupHours.campaigns)} as hour_campaigns
      from ${warmupHours}
      where ${warmupHours.domainId} = ${owner.domainId}
        and ${warmupHours.hour} >= date_trunc('day', app_now(), 'UTC')
    )
    select sent.*,
      extract(minute from app_now() at time zone 'UTC')::int as minute,
      (select count(*)::int from mine join ${emailQueue} on ${awakeOfMine})
        + sleeping.put_off as awake, sleeping.later
    from sent, (
      select count(*) filter (where ${putOff})::int as put_off,
        count(*) filter (where not ${putOff})::int as later
      from mine join ${emailQueue} on ${asleepOfMine}
    ) sleeping`);
  const figure = (name: string) => row?.[name] ?? 0;
  const today = { transactional: figure("day_transactional"), campaigns: figure("day_campaigns") };
  const hour = { transactional: figure("hour_transactional"), campaigns: figure("hour_campaigns") };
  const awake = figure("awake");
  const later = figure("later");
  const base = { today, hour, underWay: awake + later, later };
  if (cap === null) return { ...base, leftToday: null, leftThisHour: null, leftNow: null };
  const leftToday = cap - today.transactional - today.campaigns - awake - later;
  const taken = hour.transactional + hour.campaigns + awake;
  const leftOf = (share: number) => Math.max(0, Math.min(leftToday, share - taken));
  const share = hourlyCapOf(cap);
  const leftNow = leftOf(shareByMinute(share, figure("minute")));
  return { ...base, leftToday, leftThisHour: leftOf(share), leftNow };
}

/** Campaign mail of the domain that waits to be let out. */
export async function countWaiting(executor: Executor, owner: Owner): Promise<number> {
  const [row] = await executor.execute<{ waiting: number }>(sql`
    with ${campaignsOf(owner)}
    select count(*)::int as waiting from mine join ${emailQueue} on ${waitingOfMine}`);
  return row?.waiting ?? 0;
}
