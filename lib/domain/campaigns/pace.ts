import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { emailQueue, emails, workers } from "@/db/schema";
import { recipientDomain } from "@/lib/domain/receivers/receiver-of";
import type { WarmupWaiting } from "@/lib/domain/warm-up/schema";
import { t } from "@/lib/ground/texts/t";
import type { SlowedReceiver } from "./schema";
import { asleepOfCampaigns } from "@/lib/ground/queue/email-queue";

/** A worker's report older than this no longer counts. */
const freshSeconds = 60;
const mostTold = 10;

interface Row extends Record<string, unknown> {
  name: string;
  rate: number;
  since: string;
}

const hourMilliseconds = 3_600_000;

/** What a campaign is waiting for; it cannot end before its project's pace has let the pending mail out. */
export function pacedWaiting(
  waiting: WarmupWaiting | null,
  emailsPerHour: number | null,
  pending: number,
): WarmupWaiting | null {
  if (!waiting?.expectedEndAt || emailsPerHour === null) return waiting;
  const paced = Date.now() + (pending / emailsPerHour) * hourMilliseconds;
  const end = Math.max(paced, Date.parse(waiting.expectedEndAt));
  return { ...waiting, expectedEndAt: new Date(end).toISOString() };
}

/**
 * Receivers that asked for less mail and for which this campaign has mail waiting, the slowest first, with the
 * combined rate of all workers. Receivers of other campaigns are not shown.
 */
export async function findSlowedReceivers(
  executor: Executor,
  campaign: { id: string; status: string },
): Promise<SlowedReceiver[]> {
  if (campaign.status !== "SENDING") return [];
  const rows = await executor.execute<Row>(sql`
    with told as materialized (
      select told ->> 'name' as name, (told ->> 'rate')::float8 as rate, told ->> 'since' as since,
        array(select jsonb_array_elements_text(told -> 'domains')) as domains
      from ${workers} cross join jsonb_array_elements(${workers.slowReceivers}) told
      where ${workers.beatAt} > app_now() - make_interval(secs => ${freshSeconds})
    ), slow as (
      select name, sum(rate) as rate, min(since) as since, array(
        select unnest(domains) from told others where others.name = told.name) as domains
      from told group by name
    )
    select name, rate, since from slow where exists (
      select from ${emailQueue} join ${emails} on ${emails.id} = ${emailQueue.emailId}
      where ${emailQueue.campaignId} = ${campaign.id} and ${asleepOfCampaigns}
        and ${emailQueue.dueAt} < 'infinity'
        and ${recipientDomain(sql`${emails.recipient}`)} = any(slow.domains))
    order by rate limit ${mostTold}`);
  return rows.map(({ name, rate, since }) => ({
    receiver: name,
    perMinute: Math.max(1, Math.round(rate * 60)),
    since: new Date(since).toISOString(),
    message: t(
      "{name} asked for less mail. Its mail is waiting, not lost; it goes out faster as soon as the receiver accepts more.",
      { name },
    ),
  }));
}
