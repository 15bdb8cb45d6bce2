import { and, asc, eq, isNotNull, ne, or, sql } from "drizzle-orm";
import { campaigns } from "@/db/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import {
  boundsOf,
  mostInMonth,
  type CalendarQuery,
  type CampaignCalendar,
} from "./calendar-schema";

/** The day of a campaign: an index of db/schema/campaigns.ts is on exactly this. */
const at =
  sql<Date>`coalesce(${campaigns.startedAt}, ${campaigns.scheduledAt}, ${campaigns.sendBefore})`.mapWith(
    campaigns.startedAt,
  );

/**
 * The campaigns of a month, as it is in any time zone, the earliest first: those that were sent, are scheduled, or are
 * drafts with a latest time. Needs viewer.
 */
export async function getCampaignCalendar(
  ctx: Context,
  { month }: CalendarQuery,
): Promise<CampaignCalendar> {
  requireRole(ctx, "viewer");
  const { from, to } = boundsOf(month);
  const { id, name, subject, status, startedAt } = campaigns;
  const rows = await ctx.db
    .select({ id, name, subject, status, at })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.projectId, ctx.projectId),
        sql`${at} >= ${from.toISOString()}::timestamptz`,
        sql`${at} < ${to.toISOString()}::timestamptz`,
        // One that was called off before it began is no event.
        or(ne(status, "CANCELLED"), isNotNull(startedAt)),
      ),
    )
    .orderBy(asc(at), asc(id))
    .limit(mostInMonth + 1);
  return {
    month,
    data: rows.slice(0, mostInMonth).map((row) => ({
      ...row,
      id: encodeId("campaign", row.id),
      at: row.at.toISOString(),
    })),
    complete: rows.length <= mostInMonth,
  };
}
