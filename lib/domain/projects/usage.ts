import { eq, sql } from "drizzle-orm";
import { monthlyUsage, projects } from "@/db/schema";
import { sqlMonth } from "@/db/schema/projects";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import type { ProjectUsage } from "./schema";

const monthsShown = 12;

/** How many emails the project sent in each of the last twelve months (UTC), and how many it may. Needs viewer. */
export async function getUsage(ctx: Context): Promise<ProjectUsage> {
  requireRole(ctx, "viewer");
  const rows = await ctx.db.execute<{ month: string; emails: number; most: number | null }>(sql`
    select to_char(months.month, 'YYYY-MM') as month, coalesce(sum(${monthlyUsage.emails}), 0)::float8 as emails,
      ${projects.monthlyEmailLimit} as most
    from ${projects}
      cross join lateral (
        select (${sqlMonth} - make_interval(months => n))::date as month
        from generate_series(0, ${monthsShown - 1}::int) as n
      ) months
      left join ${monthlyUsage} on ${monthlyUsage.projectId} = ${projects.id}
        and ${monthlyUsage.month} = months.month
    where ${projects.id} = ${ctx.projectId}
    group by months.month, ${projects.monthlyEmailLimit}
    order by months.month desc`);
  const [current] = rows;
  if (!current) throw notFound();
  return {
    limit: current.most,
    months: rows.map(({ month, emails }) => ({ month, emails })),
  };
}

/** For operators: how many emails the project may send in a month; null: as many as it likes. */
export async function setMonthlyLimit(ctx: Context, emails: number | null): Promise<void> {
  requireRole(ctx, "owner");
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(projects)
      .set({ monthlyEmailLimit: emails })
      .where(eq(projects.id, ctx.projectId));
    await audit(tx, ctx, "update.limit", encodeId("project", ctx.projectId), { emails });
  });
}
