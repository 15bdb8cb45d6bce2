import { and, eq, inArray, sql, type Column } from "drizzle-orm";
import { campaigns, hourlyFigures } from "@/db/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { findListRow } from "./lists";

/** How people reacted to campaigns to a list, each counted once per campaign. */
export interface ListFigures {
  delivered: number;
  opened: number;
  clicked: number;
}

/** Summed over all campaigns to the list. Throws NOT_FOUND. */
export async function getListFigures(ctx: Context, listId: string): Promise<ListFigures> {
  requireRole(ctx, "viewer");
  const list = await findListRow(ctx.db, ctx, listId);
  const total = (column: Column) => sql<number>`coalesce(sum(${column}), 0)::int`;
  const campaignsToList = ctx.db
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(and(eq(campaigns.projectId, ctx.projectId), eq(campaigns.listId, list.id)));
  const [row] = await ctx.db
    .select({
      delivered: total(hourlyFigures.delivered),
      opened: total(hourlyFigures.opened),
      clicked: total(hourlyFigures.clicked),
    })
    .from(hourlyFigures)
    .where(
      and(
        eq(hourlyFigures.projectId, ctx.projectId),
        inArray(hourlyFigures.campaignId, campaignsToList),
      ),
    );
  return row ?? { delivered: 0, opened: 0, clicked: 0 };
}
