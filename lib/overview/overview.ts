import { sql } from "drizzle-orm";
import { requireRole, type Context } from "@/lib/context";
import { encodeId } from "@/lib/ids";
import { judgeBounces, judgeComplaints } from "./health";
import { overviewRanges, type Overview, type OverviewQuery } from "./schema";

interface BucketRow extends Record<string, unknown> {
  at: string;
  accepted: number;
  sent: number;
  delivered: number;
  opened: number;
  clicked: number;
  bounced: number;
  complained: number;
  failed: number;
  under_way: number;
}

interface WeekRow extends Record<string, unknown> {
  sent: number;
  delivered: number;
  bounced: number;
  complained: number;
}

interface SetUpRow extends Record<string, unknown> {
  api_key: boolean;
  verified_domain: string | null;
  first_email: string | null;
  real_send: boolean;
}

const arrived = sql`e.status in ('DELIVERED', 'OPENED', 'CLICKED')`;

/** Figures by hour or UTC day of what was accepted since, empty hours and days included. */
async function readBuckets(ctx: Context, query: OverviewQuery): Promise<BucketRow[]> {
  const { hours, bucketHours } = overviewRanges[query.range];
  const unit = bucketHours === 1 ? "hour" : "day";
  const count = hours / bucketHours;
  return ctx.db.execute<BucketRow>(sql`
    with bounds as (
      select date_trunc(${unit}, app_now(), 'UTC') as last,
        make_interval(hours => ${bucketHours}) as width
    ), bucket as (
      select last - n * width as at, last - (n - 1) * width as until
      from bounds, generate_series(0, ${count}::int - 1) as n
    ), counted as (
      select date_trunc(${unit}, e.created_at, 'UTC') as at,
        count(*)::int as accepted,
        count(e.sent_at)::int as sent,
        count(*) filter (where ${arrived})::int as delivered,
        count(e.opened_at)::int as opened,
        count(e.clicked_at)::int as clicked,
        count(*) filter (where e.status = 'BOUNCED')::int as bounced,
        count(*) filter (where e.status = 'COMPLAINED')::int as complained,
        count(*) filter (where e.status = 'FAILED')::int as failed,
        count(*) filter (where e.status in ('PENDING', 'SENT'))::int as under_way
      from emails e
      where e.project_id = ${ctx.projectId}
        and e.created_at >= (select min(at) from bucket)
      group by 1
    )
    select to_char(bucket.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at,
      ${sql.join(
        [
          "accepted",
          "sent",
          "delivered",
          "opened",
          "clicked",
          "bounced",
          "complained",
          "failed",
          "under_way",
        ].map(
          (name) => sql`coalesce(counted.${sql.identifier(name)}, 0) as ${sql.identifier(name)}`,
        ),
        sql`, `,
      )}
    from bucket left join counted on counted.at = bucket.at
    order by bucket.at`);
}

/** What the providers' thresholds are held against. */
async function readWeek(ctx: Context): Promise<WeekRow> {
  const [row] = await ctx.db.execute<WeekRow>(sql`
    select count(e.sent_at)::int as sent,
      count(*) filter (where ${arrived})::int as delivered,
      count(*) filter (where e.status = 'BOUNCED')::int as bounced,
      count(*) filter (where e.status = 'COMPLAINED')::int as complained
    from emails e
    where e.project_id = ${ctx.projectId} and e.created_at >= app_now() - interval '7 days'`);
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
        select 1 from messages m join domains d on d.id = m.domain_id
        where m.project_id = ${ctx.projectId} and not m.test and not d.built_in
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
  const total = (read: (row: BucketRow) => number) =>
    buckets.reduce((sum, row) => sum + read(row), 0);
  return {
    range: query.range,
    totals: {
      accepted: total((row) => row.accepted),
      sent: total((row) => row.sent),
      delivered: total((row) => row.delivered),
      opened: total((row) => row.opened),
      clicked: total((row) => row.clicked),
      bounced: total((row) => row.bounced),
      complained: total((row) => row.complained),
      failed: total((row) => row.failed),
    },
    health: { bounces: judgeBounces(week), complaints: judgeComplaints(week) },
    buckets: buckets.map((row) => ({
      at: row.at,
      delivered: row.delivered,
      underWay: row.under_way,
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
