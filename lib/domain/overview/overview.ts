import { sql } from "drizzle-orm";
import { requireRole, type Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { complaintBase, judgeBounces, judgeComplaints } from "./health";
import { overviewRanges, type Overview, type OverviewQuery } from "./schema";

const counted = [
  "sent",
  "delivered",
  "opened",
  "clicked",
  "bounced",
  "complained",
  "failed",
] as const;
type Counts = Record<(typeof counted)[number], number>;
type BucketRow = Record<string, unknown> & Counts & { at: string };

interface SetUpRow extends Record<string, unknown> {
  api_key: boolean;
  verified_domain: string | null;
  first_email: string | null;
  real_send: boolean;
}

/** What happened by hour or UTC day, empty hours and days included: sums of what is kept, no mail is counted. */
async function readBuckets(ctx: Context, query: OverviewQuery): Promise<BucketRow[]> {
  const { hours, bucketHours } = overviewRanges[query.range];
  const unit = bucketHours === 1 ? "hour" : "day";
  const sums = counted.map(
    (name) => sql`coalesce(sum(f.${sql.identifier(name)}), 0)::int as ${sql.identifier(name)}`,
  );
  return ctx.db.execute<BucketRow>(sql`
    with bucket as (
      select date_trunc(${unit}, app_now(), 'UTC') - n * make_interval(hours => ${bucketHours}) as at
      from generate_series(0, ${hours / bucketHours}::int - 1) as n
    )
    select to_char(bucket.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at,
      ${sql.join(sums, sql`, `)}
    from bucket left join (
      select * from hourly_figures
      where project_id = ${ctx.projectId} and hour >= (select min(at) from bucket)
    ) f on f.hour >= bucket.at and f.hour < bucket.at + make_interval(hours => ${bucketHours})
    group by bucket.at order by bucket.at`);
}

/** What the providers' thresholds are held against. */
async function readWeek(ctx: Context): Promise<Counts> {
  const [row] = await ctx.db.execute<Record<string, unknown> & Counts>(sql`
    select ${sql.join(
      counted.map(
        (name) => sql`coalesce(sum(${sql.identifier(name)}), 0)::int as ${sql.identifier(name)}`,
      ),
      sql`, `,
    )}
    from hourly_figures
    where project_id = ${ctx.projectId} and hour >= app_now() - interval '7 days'`);
  if (!row) throw new Error("An aggregate gave no row.");
  return row;
}

async function readSetUp(ctx: Context): Promise<SetUpRow> {
  const [row] = await ctx.db.execute<SetUpRow>(sql`
    select
      exists (
        select 1 from api_keys where project_id = ${ctx.projectId} and revoked_at is null
      ) as api_key,
      (select name from domains
        where project_id = ${ctx.projectId} and status = 'VERIFIED' and not built_in
        order by id limit 1) as verified_domain,
      (select id from emails
        where project_id = ${ctx.projectId} order by created_at, id limit 1) as first_email,
      exists (
        select 1 from domains d cross join lateral (
          select 1 from messages m where m.domain_id = d.id and not m.test limit 1
        ) real
        where d.project_id = ${ctx.projectId} and not d.built_in
      ) as real_send`);
  if (!row) throw new Error("A select without a table gave no row.");
  return row;
}

/** What the first page of a project shows: figures of a stretch of time, and how far its set-up is. */
export async function getOverview(ctx: Context, query: OverviewQuery): Promise<Overview> {
  requireRole(ctx, "viewer");
  const [buckets, week, setUp] = await Promise.all([
    readBuckets(ctx, query),
    readWeek(ctx),
    readSetUp(ctx),
  ]);
  const totals = Object.fromEntries(
    counted.map((name) => [name, buckets.reduce((sum, row) => sum + row[name], 0)]),
  ) as Counts;
  const rate = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  return {
    range: query.range,
    totals,
    rates: {
      bounces: rate(totals.bounced, totals.sent),
      complaints: rate(totals.complained, complaintBase(totals)),
    },
    health: { bounces: judgeBounces(week), complaints: judgeComplaints(week) },
    buckets: buckets.map((row) => ({
      at: row.at,
      delivered: row.delivered,
      underWay: Math.max(0, row.sent - row.delivered - row.bounced),
      problems: row.bounced + row.complained + row.failed,
    })),
    setUp: {
      apiKey: setUp.api_key,
      verifiedDomain: setUp.verified_domain,
      firstEmailId: setUp.first_email ? encodeId("email", setUp.first_email) : null,
      realSend: setUp.real_send,
    },
  };
}
