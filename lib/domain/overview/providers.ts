import { and, eq, gte, sql, type Column } from "drizzle-orm";
import { emails, hourlyFigures } from "@/db/schema";
import { readProviderFigures, wasHandedOver } from "@/lib/domain/receivers/provider-figures";
import { requireRole, type Context } from "@/lib/ground/context";
import { arrivalOf } from "@/lib/ground/counters/arrival";
import { SharedReading } from "@/lib/ground/shared-reading";
import { slowRead } from "@/lib/ground/slow-reads";
import type { OverviewProviders } from "./schema";
import { mostProviderEmails, providerDays } from "./terms";

const longestSeconds = 20;

/** By project: it reads the mail itself. */
const remembered = new SharedReading<OverviewProviders>({ max: 500, ttl: 60_000 });

const total = (column: Column) => sql<number>`coalesce(sum(${column}), 0)::int`;

const readProviders = (ctx: Context): Promise<OverviewProviders> =>
  slowRead(ctx, longestSeconds, async (tx) => {
    const since = sql`app_now() - make_interval(days => ${providerDays})`;
    const [days] = await tx
      .select({
        sent: total(hourlyFigures.sent),
        delivered: total(hourlyFigures.delivered),
        inferred: total(hourlyFigures.inferred),
        bounced: total(hourlyFigures.bounced),
      })
      .from(hourlyFigures)
      .where(and(eq(hourlyFigures.projectId, ctx.projectId), gte(hourlyFigures.hour, since)));
    if (!days) throw new Error("An aggregate gave no row.");
    const { confirmed: deliveryConfirmed } = arrivalOf(days);
    const mail = sql`(select * from ${emails}
      where ${emails.projectId} = ${ctx.projectId} and ${emails.createdAt} >= ${since}
        and ${wasHandedOver(emails)} and ${emails.recipient} is not null
      order by ${emails.createdAt} desc limit ${mostProviderEmails})`;
    const providers = await readProviderFigures(tx, mail, deliveryConfirmed);
    const counted = providers.reduce((sum, { recipients }) => sum + recipients, 0);
    return { deliveryConfirmed, newestOnly: counted >= mostProviderEmails, providers };
  });

/**
 * What became of the project's mail of seven days that has left, at each receiving provider; of the newest, where
 * it is very much. Remembered for a minute. Needs viewer.
 */
export async function getOverviewProviders(ctx: Context): Promise<OverviewProviders> {
  requireRole(ctx, "viewer");
  return remembered.of(ctx.projectId, () => readProviders(ctx));
}
