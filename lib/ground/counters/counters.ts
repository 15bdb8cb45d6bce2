import { randomInt } from "node:crypto";
import { getTableName, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { executePrepared, type Executor } from "@/db/client";
import { hourlyFigures } from "@/db/schema";

/** What is counted of mail, by hour and campaign. Each counts first times, but opens and clicks. */
const figures = {
  settled: hourlyFigures.settled,
  sent: hourlyFigures.sent,
  delivered: hourlyFigures.delivered,
  opened: hourlyFigures.opened,
  clicked: hourlyFigures.clicked,
  bounced: hourlyFigures.bounced,
  complained: hourlyFigures.complained,
  unsubscribed: hourlyFigures.unsubscribed,
  failed: hourlyFigures.failed,
  opens: hourlyFigures.opens,
  clicks: hourlyFigures.clicks,
  machine_opens: hourlyFigures.machineOpens,
  machine_clicks: hourlyFigures.machineClicks,
} satisfies Record<string, PgColumn>;
export type FigureName = keyof typeof figures;
const figureNames = Object.keys(figures) as FigureName[];

/** Stands for "no campaign" in `hourly_figures`. */
export const noCampaign = "00000000-0000-0000-0000-000000000000";

/** The row of an hour that this process adds to: writers of different processes do not wait for each other. */
export const figureSlot = randomInt(0, 256);

const table = getTableName(hourlyFigures);
const { projectId, campaignId, hour, slot } = hourlyFigures;
const key = [projectId, campaignId, hour, slot].map(({ name }) => name).join(", ");

/**
 * SQL that adds to the figures of this hour, for a statement that does all of its work in one round
 * trip: `with changed as (...), counted as (${addFigures("changed", ["sent"])}) select ...`.
 *
 * @param source a CTE's name: `project_id`, `campaign_id` (null: no campaign) and, for each of `names`, an
 *   integer column of that name with what is to be added
 */
export function addFigures(source: string, names: readonly FigureName[]): SQL {
  const columns = names.map((name) => figures[name].name).join(", ");
  const sums = names.map((name) => `sum(${name}) as ${name}`).join(", ");
  const anything = names.map((name) => `sum(${name}) <> 0`).join(" or ");
  const added = names
    .map((name) => figures[name].name)
    .map((column) => `${column} = ${table}.${column} + excluded.${column}`)
    .join(", ");
  return sql.raw(`insert into ${table} (${key}, ${columns})
    select project_id, coalesce(campaign_id, '${noCampaign}'), date_trunc('hour', app_now(), 'UTC'),
      ${figureSlot}, ${sums}
    from ${source} group by 1, 2 having ${anything} order by 1, 2
    on conflict (${key}) do update set ${added}`);
}

/** What is to be added for one project and campaign. */
export type FigureDelta = { projectId: string; campaignId: string | null } & Partial<
  Record<FigureName, number>
>;

/** Adds to the figures of this hour in one statement; within a transaction where there is one. */
export async function addFigureDeltas(
  executor: Executor,
  deltas: readonly FigureDelta[],
): Promise<void> {
  if (deltas.length === 0) return;
  const deltaColumns = figureNames.map(
    (name) => sql`${sql.param(deltas.map((delta) => delta[name] ?? 0))}::int[]`,
  );
  await executePrepared(
    executor,
    sql`with delta as (
        select * from unnest(
          ${sql.param(deltas.map(({ projectId }) => projectId))}::uuid[],
          ${sql.param(deltas.map(({ campaignId }) => campaignId))}::uuid[],
          ${sql.join(deltaColumns, sql`, `)}
        ) as given(project_id, campaign_id, ${sql.raw(figureNames.join(", "))})
      ) ${addFigures("delta", figureNames)}`,
  );
}
