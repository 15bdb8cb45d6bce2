import { sql } from "drizzle-orm";
import { executePrepared, type Executor } from "@/db/client";
import { addFigures, figureNames, type FigureName } from "@/lib/ground/counters/counters";

/** What is to be added for one project and campaign. */
type FigureDelta = {
  projectId: string;
  campaignId: string | null;
  /** An A/B test's variant. */
  variant?: number | null;
} & Partial<Record<FigureName, number>>;

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
          ${sql.param(deltas.map(({ variant }) => variant ?? null))}::int[],
          ${sql.join(deltaColumns, sql`, `)}
        ) as given(project_id, campaign_id, variant, ${sql.raw(figureNames.join(", "))})
      ) ${addFigures("delta", figureNames, { variants: true })}`,
  );
}
