import { sql } from "drizzle-orm";
import { requireRole, type Context } from "@/lib/ground/context";
import { findListRow } from "./lists";

/** What became of campaigns to a list: people, each once a campaign. */
export interface ListFigures {
  delivered: number;
  opened: number;
  clicked: number;
}

/** Summed over all campaigns to the list. Throws NOT_FOUND. */
export async function getListFigures(ctx: Context, listId: string): Promise<ListFigures> {
  requireRole(ctx, "viewer");
  const list = await findListRow(ctx.db, ctx, listId);
  const [row] = await ctx.db.execute<{ [name in keyof ListFigures]: number }>(sql`
    select coalesce(sum(delivered), 0)::int as delivered, coalesce(sum(opened), 0)::int as opened,
      coalesce(sum(clicked), 0)::int as clicked
    from hourly_figures
    where project_id = ${ctx.projectId} and campaign_id in (
      select id from campaigns where project_id = ${ctx.projectId} and list_id = ${list.id})`);
  return row ?? { delivered: 0, opened: 0, clicked: 0 };
}
