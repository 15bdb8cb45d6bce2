import { and, eq, gte, sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { hourlyFigures, type campaigns } from "@/db/schema";
import type { GuardStart } from "@/db/schema/campaigns";
import type { Results } from "./judge";

type Campaign = Pick<typeof campaigns.$inferSelect, "id" | "projectId" | "guardStart">;

const figures = ["sent", "delivered", "inferred", "bounced", "complained"] as const;
const week = sql`date_trunc('hour', app_now(), 'UTC') - interval '7 days'`;

async function sum(executor: Executor, campaign: Campaign, since: SQL): Promise<Results> {
  const sums = figures.map((name) => [
    name,
    sql<number>`coalesce(sum(${hourlyFigures[name]}), 0)::int`,
  ]);
  const [row] = await executor
    .select(Object.fromEntries(sums) as Record<keyof Results, SQL<number>>)
    .from(hourlyFigures)
    .where(
      and(
        eq(hourlyFigures.projectId, campaign.projectId),
        eq(hourlyFigures.campaignId, campaign.id),
        gte(hourlyFigures.hour, since),
      ),
    );
  return row ?? { sent: 0, delivered: 0, inferred: 0, bounced: 0, complained: 0 };
}

/** What became of a campaign's mail in the last seven days, or since somebody acknowledged the guard's findings. */
export async function campaignResults(executor: Executor, campaign: Campaign): Promise<Results> {
  const { guardStart } = campaign;
  if (!guardStart) return sum(executor, campaign, week);
  const start = sql`${guardStart.hour}::timestamptz`;
  const results = await sum(executor, campaign, sql`greatest(${start}, ${week})`);
  const [row] = await executor.execute<{ within: boolean }>(
    sql`select ${start} >= ${week} as within`,
  );
  if (!row?.within) return results;
  return {
    sent: results.sent - guardStart.sent,
    delivered: results.delivered - guardStart.delivered,
    inferred: results.inferred - (guardStart.inferred ?? 0),
    bounced: results.bounced - guardStart.bounced,
    complained: results.complained - guardStart.complained,
  };
}

/** Where counting starts when somebody acknowledges now: with this hour, minus what it has counted so far. */
export async function guardStartNow(executor: Executor, campaign: Campaign): Promise<GuardStart> {
  const hour = sql`date_trunc('hour', app_now(), 'UTC')`;
  const [row] = await executor.execute<{ hour: string }>(sql`select ${hour} as hour`);
  if (!row) throw new Error("A select without a table returned no row.");
  return { hour: new Date(row.hour).toISOString(), ...(await sum(executor, campaign, hour)) };
}
