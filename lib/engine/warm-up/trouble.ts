import { sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { warmupHours, warmupReceiverHours, warmupReceivers, workers } from "@/db/schema";
import { judgeResults, type Trouble } from "@/lib/domain/guard/judge";
import type { WarmupRow } from "@/lib/domain/warm-up/plan";
import type { ReceiverTrouble, SlowedReceiverRow } from "@/lib/domain/warm-up/receivers";
import { inEnglish } from "@/lib/ground/texts/kept-text";

const today = sql`date_trunc('day', app_now(), 'UTC')`;
const week = sql`app_now() - interval '7 days'`;
/** How many receivers are looked at in one turn, those with the worst results first. */
const mostReceivers = 50;
/** A worker that has been silent for longer says nothing about the present. */
const freshSeconds = 60;

type Period = "today" | "week";
type Figures = Record<string, number>;

const sums = (hours: typeof warmupHours | typeof warmupReceiverHours, sent: SQL) =>
  sql.join(
    (["today", "week"] as const).flatMap((period) =>
      (["sent", "bounced", "complained"] as const).map(
        (figure) => sql`coalesce(sum(${figure === "sent" ? sent : hours[figure]})
          filter (where ${hours.hour} >= ${period === "today" ? today : week}), 0)::int as ${sql.identifier(`${period}_${figure}`)}`,
      ),
    ),
    sql`, `,
  );

const resultsOf = (figures: Figures, period: Period) => ({
  sent: figures[`${period}_sent`] ?? 0,
  // Deliveries are not kept by hour and receiver, so complaints are a share of what was accepted.
  delivered: 0,
  inferred: 0,
  bounced: figures[`${period}_bounced`] ?? 0,
  complained: figures[`${period}_complained`] ?? 0,
});

function judge(figures: Figures, receiver: string | null): Trouble | null {
  const today =
    receiver === null
      ? inEnglish("sent today")
      : inEnglish("to {receiver} sent today", { receiver });
  const lately =
    receiver === null
      ? inEnglish("sent in the last 7 days")
      : inEnglish("to {receiver} sent in the last 7 days", { receiver });
  return (
    judgeResults(resultsOf(figures, "today"), today) ??
    judgeResults(resultsOf(figures, "week"), lately)
  );
}

/**
 * Results of today, or of seven days, that exceed the thresholds, without receivers that are slowed individually;
 * those before the last slow-down do not count.
 */
export async function findTrouble(
  executor: Executor,
  { domainId, slowedAt }: WarmupRow,
  slowed: readonly SlowedReceiverRow[],
): Promise<Trouble | null> {
  const since = sql`greatest(${week}, ${slowedAt?.toISOString() ?? null}::timestamptz)`;
  const [all] = await executor.execute<Figures>(sql`
    select ${sums(warmupHours, sql`${warmupHours.transactional} + ${warmupHours.campaigns}`)} from ${warmupHours}
    where ${warmupHours.domainId} = ${domainId} and ${warmupHours.hour} > ${since}`);
  if (!all) return null;
  if (slowed.length === 0) return judge(all, null);
  const names = sql.param(slowed.map(({ receiver }) => receiver));
  const [theirs] = await executor.execute<Figures>(sql`
    select ${sums(warmupReceiverHours, sql`${warmupReceiverHours.sent}`)} from ${warmupReceiverHours}
    where ${warmupReceiverHours.domainId} = ${domainId} and ${warmupReceiverHours.hour} > ${since}
      and ${warmupReceiverHours.receiver} = any(${names}::text[])`);
  const others = Object.entries(all).map(([name, sum]) => [
    name,
    Math.max(0, sum - (theirs?.[name] ?? 0)),
  ]);
  return judge(Object.fromEntries(others) as Figures, null);
}

interface ReceiverRow extends Record<string, unknown> {
  receiver: string;
  usual: number;
  throttled_since: string | null;
}

/**
 * Receivers whose mail has bad results, or that ask for less; results from before they were slowed do not count.
 */
export async function findReceiverTroubles(
  executor: Executor,
  { domainId, slowedAt }: WarmupRow,
): Promise<ReceiverTrouble[]> {
  const rows = await executor.execute<ReceiverRow>(sql`
    with throttling as (
      select told ->> 'name' as receiver, max((told ->> 'since')::timestamptz) as since
      from ${workers} cross join jsonb_array_elements(${workers.slowReceivers}) told
      where ${workers.beatAt} > app_now() - make_interval(secs => ${freshSeconds}) group by 1
    ), by_day as (
      select ${warmupReceiverHours.receiver}, sum(${warmupReceiverHours.sent})::int as sent
      from ${warmupReceiverHours}
      where ${warmupReceiverHours.domainId} = ${domainId} and ${warmupReceiverHours.hour} >= ${week}
      group by ${warmupReceiverHours.receiver}, (${warmupReceiverHours.hour} at time zone 'UTC')::date
    ), results as (
      select ${warmupReceiverHours.receiver}, ${sums(warmupReceiverHours, sql`${warmupReceiverHours.sent}`)}, max(${warmupReceivers.slowedAt}) as slowed_at
      from ${warmupReceiverHours} left join ${warmupReceivers}
        on ${warmupReceivers.domainId} = ${warmupReceiverHours.domainId}
        and ${warmupReceivers.receiver} = ${warmupReceiverHours.receiver}
      where ${warmupReceiverHours.domainId} = ${domainId}
        and ${warmupReceiverHours.hour} > greatest(${week}, ${warmupReceivers.slowedAt},
        ${slowedAt?.toISOString() ?? null}::timestamptz)
      group by ${warmupReceiverHours.receiver}
    )
    select results.*, throttling.since as throttled_since,
      (select max(sent) from by_day where by_day.receiver = results.receiver) as usual
    from results left join throttling on throttling.receiver = results.receiver
      and throttling.since > coalesce(results.slowed_at, '-infinity') and results.today_sent > 0
    where throttling.since is not null or results.week_bounced > 0 or results.week_complained > 0
    order by results.week_bounced + results.week_complained desc, results.receiver
    limit ${mostReceivers}`);
  return rows.flatMap<ReceiverTrouble>(
    ({ receiver, usual, throttled_since: since, ...figures }) => {
      const trouble = judge(figures as Figures, receiver);
      if (trouble) return [{ receiver, usual, ...trouble }];
      if (since === null) return [];
      const message = inEnglish("{receiver} asks for less mail.", { receiver });
      return [{ receiver, usual, reason: "throttled", verdict: "high", message }];
    },
  );
}
