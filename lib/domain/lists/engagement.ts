import { and, eq, inArray, sql, type Column } from "drizzle-orm";
import { campaigns, hourlyFigures } from "@/db/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { arrivalOf, rateOf } from "@/lib/ground/counters/arrival";
import { findListRow } from "./lists";
import type { MailingListDetail } from "./schema";

/** How people reacted to campaigns to a list, each counted once per campaign. */
export type ListFigures = MailingListDetail["figures"];

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
      sent: total(hourlyFigures.sent),
      bounced: total(hourlyFigures.bounced),
      delivered: total(hourlyFigures.delivered),
      inferred: total(hourlyFigures.inferred),
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
  if (!row) throw new Error("An aggregate gave no row.");
  const { delivered, opened, clicked } = row;
  const { confirmed, arrived } = arrivalOf(row);
  return {
    ...{ delivered, opened, clicked },
    deliveryConfirmed: confirmed,
    arrived,
    openRate: rateOf(opened, arrived),
    clickRate: rateOf(clicked, arrived),
  };
}
