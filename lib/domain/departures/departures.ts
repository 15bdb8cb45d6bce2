import { and, desc, eq, ne, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { campaigns, departureFigures, lists, topics } from "@/db/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { withinDates } from "@/lib/ground/paging/date-bounds";
import type { DepartureQuery, Departures } from "./schema";

const nothing = "00000000-0000-0000-0000-000000000000";
const mostShown = 20;

const people = sql<number>`sum(${departureFigures.people})::int`;

/** People by one column, the most first. */
function byColumn<Column extends PgColumn>(
  ctx: Context,
  column: Column,
  conditions: readonly (SQL | undefined)[],
) {
  return ctx.db
    .select({ value: column, people })
    .from(departureFigures)
    .where(and(...conditions))
    .groupBy(column)
    .orderBy(desc(people), column);
}

async function byThing(
  ctx: Context,
  kind: "campaign" | "list" | "topic",
  column: PgColumn,
  things: PgTable & { id: PgColumn; name: PgColumn },
  conditions: readonly SQL[],
) {
  const rows = await ctx.db
    .select({
      id: sql<string>`${column}`,
      name: sql<string | null>`max(${things.name})`,
      people,
    })
    .from(departureFigures)
    .leftJoin(things, eq(things.id, column))
    .where(and(...conditions, ne(column, nothing)))
    .groupBy(column)
    .orderBy(desc(people), column)
    .limit(mostShown);
  return rows.map((row) => ({ ...row, id: encodeId(kind, row.id) }));
}

/**
 * How many people left, and why, by campaign, list and topic: read from figures that are kept by day, whatever
 * the number of contacts. Needs viewer.
 */
export async function getDepartures(ctx: Context, query: DepartureQuery): Promise<Departures> {
  requireRole(ctx, "viewer");
  const { projectId, day, scope, reason, origin, campaignId, listId, topicId } = departureFigures;
  const conditions = [eq(projectId, ctx.projectId), ...withinDates(sql`${day}`, query)];
  const [scopes, reasons, through, ofCampaigns, ofLists, ofTopics] = await Promise.all([
    byColumn(ctx, scope, conditions),
    byColumn(ctx, reason, [...conditions, eq(scope, "everything")]),
    byColumn(ctx, origin, conditions),
    byThing(ctx, "campaign", campaignId, campaigns, conditions),
    byThing(ctx, "list", listId, lists, conditions),
    byThing(ctx, "topic", topicId, topics, conditions),
  ]);
  return {
    people: scopes.reduce((sum, row) => sum + row.people, 0),
    scopes: scopes.map((row) => ({ scope: row.value, people: row.people })),
    reasons: reasons.map((row) => ({ reason: row.value || null, people: row.people })),
    through: through.map((row) => ({ type: row.value, people: row.people })),
    ...{ campaigns: ofCampaigns, lists: ofLists, topics: ofTopics },
  };
}
