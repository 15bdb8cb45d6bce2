import { and, eq, gte, sql, type SQL } from "drizzle-orm";
import { hourlyFigures } from "@/db/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { arrivalOf } from "@/lib/ground/counters/arrival";
import { judgeBounces, judgeComplaints } from "@/lib/domain/guard/thresholds";
import { readAttention, readNext } from "./attention";
import type { Overview, OverviewQuery } from "./schema";
import { readSetUp } from "./set-up";
import { overviewRanges } from "./terms";

const counted = [
  "sent",
  "delivered",
  "inferred",
  "opened",
  "clicked",
  "bounced",
  "complained",
  "failed",
] as const;
type Counts = Record<(typeof counted)[number], number>;
type BucketRow = Record<string, unknown> & Counts & { at: string };

/** What happened by hour or UTC day, empty hours and days included: sums of what is kept, no mail is counted. */
async function readBuckets(ctx: Context, query: OverviewQuery): Promise<BucketRow[]> {
  const { hours, bucketHours } = overviewRanges[query.range];
  const unit = bucketHours === 1 ? "hour" : "day";
  const sums = counted.map(
    (name) =>
      sql`coalesce(sum(f.${sql.identifier(hourlyFigures[name].name)}), 0)::int as ${sql.identifier(name)}`,
  );
  return ctx.db.execute<BucketRow>(sql`
    with bucket as (
      select date_trunc(${unit}, app_now(), 'UTC') - n * make_interval(hours => ${bucketHours}) as at
      from generate_series(0, ${hours / bucketHours}::int - 1) as n
    )
    select to_char(bucket.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at,
      ${sql.join(sums, sql`, `)}
    from bucket left join (
      select * from ${hourlyFigures}
      where ${hourlyFigures.projectId} = ${ctx.projectId}
        and ${hourlyFigures.hour} >= (select min(at) from bucket)
    ) f on f.hour >= bucket.at and f.hour < bucket.at + make_interval(hours => ${bucketHours})
    group by bucket.at order by bucket.at`);
}

/** Sums over the hours of which the condition holds. */
async function readSums(ctx: Context, hours: SQL): Promise<Counts> {
  const sums = counted.map((name) => [
    name,
    sql<number>`coalesce(sum(${hourlyFigures[name]}), 0)::int`,
  ]);
  const [row] = await ctx.db
    .select(Object.fromEntries(sums) as Record<keyof Counts, SQL<number>>)
    .from(hourlyFigures)
    .where(and(eq(hourlyFigures.projectId, ctx.projectId), hours));
  if (!row) throw new Error("An aggregate gave no row.");
  return row;
}

/** What the rates that are compared with the providers' thresholds are made of. */
const readWeek = (ctx: Context) =>
  readSums(ctx, gte(hourlyFigures.hour, sql`app_now() - interval '7 days'`));

/** The period of the same length that ends where the range begins. */
function readBefore(ctx: Context, { range }: OverviewQuery): Promise<Counts> {
  const { hours, bucketHours } = overviewRanges[range];
  const unit = bucketHours === 1 ? "hour" : "day";
  const begin = sql`date_trunc(${unit}, app_now(), 'UTC') - make_interval(hours => ${hours - bucketHours}::int)`;
  return readSums(
    ctx,
    sql`${hourlyFigures.hour} >= ${begin} - make_interval(hours => ${hours}::int) and ${hourlyFigures.hour} < ${begin}`,
  );
}

/** Figures as the page shows them, and what they are a share of. */
function shownOf(counts: Counts) {
  const { inferred: _, ...totals } = counts;
  const { confirmed, arrived } = arrivalOf(counts);
  // People open today what was sent before.
  const rate = (part: number, whole: number) => (whole === 0 ? null : Math.min(1, part / whole));
  return {
    confirmed,
    totals,
    rates: {
      opens: rate(totals.opened, arrived),
      clicks: rate(totals.clicked, arrived),
      bounces: rate(totals.bounced, totals.sent),
      complaints: rate(totals.complained, arrived),
    },
  };
}

/** What the first page of a project shows: figures of a stretch of time, and how far its set-up is. */
export async function getOverview(ctx: Context, query: OverviewQuery): Promise<Overview> {
  requireRole(ctx, "viewer");
  const [buckets, before, week, setUp, attention, next] = await Promise.all([
    readBuckets(ctx, query),
    readBefore(ctx, query),
    readWeek(ctx),
    readSetUp(ctx),
    readAttention(ctx),
    readNext(ctx),
  ]);
  const sums = counted.map((name) => [name, buckets.reduce((sum, row) => sum + row[name], 0)]);
  const { confirmed, totals, rates } = shownOf(Object.fromEntries(sums) as Counts);
  const { totals: totalsBefore, rates: ratesBefore } = shownOf(before);
  return {
    range: query.range,
    totals,
    before: { totals: totalsBefore, rates: ratesBefore },
    deliveryConfirmed: confirmed,
    rates,
    attention,
    next,
    health: {
      bounces: judgeBounces(week),
      complaints: judgeComplaints(week, arrivalOf(week).arrived),
    },
    buckets: buckets.map((row) => ({
      at: row.at,
      delivered: row.delivered,
      underWay: Math.max(0, row.sent - row.delivered - row.bounced),
      problems: row.bounced + row.failed,
    })),
    setUp,
  };
}
