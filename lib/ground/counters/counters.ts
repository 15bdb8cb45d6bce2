import { randomInt } from "node:crypto";
import { getTableName, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { hourlyFigures } from "@/db/schema";

/** What is counted about mail, by hour and campaign: first times only, but for opens and clicks. */
const figures = {
  settled: hourlyFigures.settled,
  sent: hourlyFigures.sent,
  delivered: hourlyFigures.delivered,
  inferred: hourlyFigures.inferred,
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
export const figureNames = Object.keys(figures) as FigureName[];

/** Stands for "no campaign" in `hourly_figures`. */
export const noCampaign = "00000000-0000-0000-0000-000000000000";

/** The row of an hour that this process adds to: writers of different processes do not wait for each other. */
export const figureSlot = randomInt(0, 256);

/** Slots of one variant of an A/B test: those of mail in no variant come first. */
export const slotsPerVariant = 256;

const table = getTableName(hourlyFigures);
const { projectId, campaignId, hour, slot } = hourlyFigures;
const key = [projectId, campaignId, hour, slot].map(({ name }) => name).join(", ");

/**
 * SQL that adds to the figures of this hour, for a statement that does all of its work in one round
 * trip: `with changed as (...), counted as (${addFigures("changed", ["sent"])}) select ...`.
 *
 * @param source a CTE's name: `project_id`, `campaign_id` (null: no campaign) and, for each of `names`, an
 *   integer column of that name with what is to be added; `variant` (of an A/B test, null: none) where it
 *   may hold a campaign's mail, which `variants` says
 */
export function addFigures(
  source: string,
  names: readonly FigureName[],
  { variants = false }: { variants?: boolean } = {},
): SQL {
  const columns = names.map((name) => figures[name].name).join(", ");
  const sums = names.map((name) => `sum(${name}) as ${name}`).join(", ");
  const anything = names.map((name) => `sum(${name}) <> 0`).join(" or ");
  const added = names
    .map((name) => figures[name].name)
    .map((column) => `${column} = ${table}.${column} + excluded.${column}`)
    .join(", ");
  const slotOf = variants
    ? `${figureSlot} + ${slotsPerVariant} * coalesce(variant, 0)`
    : `${figureSlot}`;
  const groups = variants ? "1, 2, 4" : "1, 2";
  return sql.raw(`insert into ${table} (${key}, ${columns})
    select project_id, coalesce(campaign_id, '${noCampaign}'), date_trunc('hour', app_now(), 'UTC'),
      ${slotOf}, ${sums}
    from ${source} group by ${groups} having ${anything} order by ${groups}
    on conflict (${key}) do update set ${added}`);
}
