import { sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { assignments, fixed, insertSelected } from "@/db/names";
import { emails, messages, warmupHours, warmups } from "@/db/schema";
import { figureSlot } from "@/lib/ground/counters/counters";

const added = (name: string) => sql.raw(`warmup_hours.${name} + excluded.${name}`);

const insertFigures = (from: SQL) => sql`${insertSelected(warmupHours, {
  domainId: sql`${warmups.domainId}`,
  hour: sql`date_trunc('hour', app_now(), 'UTC')`,
  slot: sql.raw(String(figureSlot)),
  bounced: sql`sum(moved.bounced)`,
  complained: sql`sum(moved.complained)`,
  transactional: sql`coalesce(sum(moved.sent) filter (where moved.campaign_id is null), 0)`,
  campaigns: sql`coalesce(sum(moved.sent) filter (where moved.campaign_id is not null), 0)`,
})}
    from ${from} join ${warmups} on ${warmups.domainId} = moved.domain_id and ${warmups.enabled}
    where moved.sent <> 0 or moved.bounced <> 0 or moved.complained <> 0
    group by ${warmups.domainId} order by ${warmups.domainId}
    on conflict (domain_id, hour, slot) do update set ${assignments(warmupHours, {
      transactional: added("transactional"),
      campaigns: added("campaigns"),
      bounced: added("bounced"),
      complained: added("complained"),
    })}`;

/**
 * SQL that counts for domains that are warmed up, within the statement that moves mail on. `moved` has
 * `domain_id` (null: does not count), `campaign_id`, and `sent`, `bounced` and `complained` to be added.
 */
export const countWarmup = fixed(insertFigures(sql`moved`));

/** The same of one email, when somebody else reports on it. */
export async function addWarmupFigures(
  executor: Executor,
  emailId: string,
  {
    sent = 0,
    bounced = 0,
    complained = 0,
  }: { sent?: number; bounced?: number; complained?: number },
): Promise<void> {
  if (sent === 0 && bounced === 0 && complained === 0) return;
  await executor.execute(sql`
    with moved as (
      select ${messages.domainId}, ${emails.campaignId}, ${sent}::int as sent,
        ${bounced}::int as bounced, ${complained}::int as complained
      from ${emails} join ${messages} on ${messages.id} = ${emails.messageId} and not ${messages.test}
      where ${emails.id} = ${emailId}
    ) ${insertFigures(sql`moved`)}`);
}
