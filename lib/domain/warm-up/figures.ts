import { sql, type SQL } from "drizzle-orm";
import { assignments, columns, fixed, insertSelected, plusExcluded } from "@/db/names";
import { warmupHours, warmupReceiverHours, warmups } from "@/db/schema";
import { receiverOf } from "@/lib/domain/receivers/receiver-of";
import { figureSlot } from "@/lib/ground/counters/counters";

const warmupKey = [warmupHours.domainId, warmupHours.hour, warmupHours.slot];

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
    on conflict (${columns(...warmupKey)}) do update set ${assignments(warmupHours, {
      transactional: plusExcluded(warmupHours.transactional),
      campaigns: plusExcluded(warmupHours.campaigns),
      bounced: plusExcluded(warmupHours.bounced),
      complained: plusExcluded(warmupHours.complained),
    })}`;

const receiverKey = [
  ...[warmupReceiverHours.domainId, warmupReceiverHours.hour],
  ...[warmupReceiverHours.receiver, warmupReceiverHours.slot],
];

const runs = sql`(app_now() at time zone 'UTC')::date - ${warmups.startedOn} - ${warmups.lag}
  < cardinality(${warmups.schedule})`;

const insertReceiverFigures = (from: SQL) => sql`${insertSelected(warmupReceiverHours, {
  domainId: sql`${warmups.domainId}`,
  hour: sql`date_trunc('hour', app_now(), 'UTC')`,
  receiver: sql`taker.receiver`,
  slot: sql.raw(String(figureSlot)),
  sent: sql`sum(moved.sent)`,
  bounced: sql`sum(moved.bounced)`,
  complained: sql`sum(moved.complained)`,
})}
    from ${from} join ${warmups} on ${warmups.domainId} = moved.domain_id and ${warmups.enabled} and ${runs}
    cross join lateral (select ${receiverOf(sql`moved.recipient`)} as receiver) taker
    where moved.recipient is not null
      and (moved.sent <> 0 or moved.bounced <> 0 or moved.complained <> 0)
    group by ${warmups.domainId}, taker.receiver order by ${warmups.domainId}, taker.receiver
    on conflict (${columns(...receiverKey)}) do update set ${assignments(warmupReceiverHours, {
      sent: plusExcluded(warmupReceiverHours.sent),
      bounced: plusExcluded(warmupReceiverHours.bounced),
      complained: plusExcluded(warmupReceiverHours.complained),
    })}`;

/**
 * SQL, two CTEs, that count for domains being warmed up, within the statement that moves mail on. `moved` has
 * `domain_id` (null: does not count), `campaign_id`, `recipient`, and `sent`, `bounced` and `complained` to be added.
 */
export const countWarmup = fixed(sql`counted_for_warmup as (${insertFigures(sql`moved`)}
    ), counted_by_receiver as (${insertReceiverFigures(sql`moved`)})`);
