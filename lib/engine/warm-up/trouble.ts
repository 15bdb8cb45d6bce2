import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { warmupHours } from "@/db/schema";
import { judgeResults, type Trouble } from "@/lib/domain/guard/judge";
import type { WarmupRow } from "@/lib/domain/warm-up/plan";

const sums = (name: string, since: string) =>
  sql.raw(
    ["sent", "bounced", "complained"]
      .map((figure) => {
        const column = figure === "sent" ? "transactional + campaigns" : figure;
        return `coalesce(sum(${column}) filter (where hour >= ${since}), 0)::int as ${name}_${figure}`;
      })
      .join(", "),
  );

/** Results of today, or of seven days, that pass the thresholds; those before the last slow-down do not count. */
export async function findTrouble(
  executor: Executor,
  { domainId, slowedAt }: WarmupRow,
): Promise<Trouble | null> {
  const [figures] = await executor.execute<Record<string, number>>(sql`
    select ${sums("today", "date_trunc('day', app_now(), 'UTC')")},
      ${sums("week", "app_now() - interval '7 days'")}
    from ${warmupHours}
    where ${warmupHours.domainId} = ${domainId}
      and ${warmupHours.hour} >= app_now() - interval '7 days'
      and ${warmupHours.hour} > coalesce(${slowedAt?.toISOString() ?? null}::timestamptz, '-infinity')`);
  if (!figures) return null;
  const results = (name: string) => ({
    sent: figures[`${name}_sent`] ?? 0,
    delivered: 0,
    bounced: figures[`${name}_bounced`] ?? 0,
    complained: figures[`${name}_complained`] ?? 0,
  });
  return (
    judgeResults(results("today"), "sent today") ??
    judgeResults(results("week"), "sent in the last 7 days")
  );
}
