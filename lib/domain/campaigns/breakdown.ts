import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Executor } from "@/db/client";
import { emailEvents, emails } from "@/db/schema";
import { readProviderFigures } from "@/lib/domain/receivers/provider-figures";
import { ownedBy } from "@/lib/ground/by-id";
import { requireRole, type Context } from "@/lib/ground/context";
import { placeOf } from "@/lib/ground/geo/places";
import { SharedReading } from "@/lib/ground/shared-reading";
import { slowRead } from "@/lib/ground/slow-reads";
import type { CampaignBreakdown } from "./breakdown-schema";
import { findCampaignRow } from "./read";
import type { CampaignRow } from "./readiness";
import { deviceOf } from "./readers-words";
import { readFigures } from "./stats";

const e = alias(emails, "e");
const v = alias(emailEvents, "v");

const longestSeconds = 20;
const mostReaders = 5_000;
const shown = 12;

/** Cached by campaign, since it reads all of its mail. While a campaign is young it changes by the minute. */
const remembered = new SharedReading<CampaignBreakdown>({ max: 500, ttl: 60_000 });

interface Reading extends Record<string, unknown> {
  kind: "agent" | "ip" | "hour";
  name: string;
  people: number;
}

/** How each person first read it: with what, where and at what hour. Machines are left out. */
async function readReadings(
  executor: Executor,
  { id, projectId, startedAt }: CampaignRow,
  timeZone: string,
): Promise<Reading[]> {
  if (startedAt === null) return [];
  return executor.execute<Reading>(sql`
    with readers as materialized (
      select first.* from ${emails} e cross join lateral (
        select ${v.data} ->> 'userAgent' as agent, ${v.data} ->> 'ip' as ip,
          extract(hour from ${v.createdAt} at time zone ${timeZone})::int as hour
        from ${emailEvents} v
        where ${v.emailId} = ${e.id} and ${v.createdAt} >= ${startedAt.toISOString()}::timestamptz
          and ${v.name} in ('opened', 'clicked') and ${v.data} ->> 'machine' is null
        order by ${v.createdAt} limit 1
      ) first
      where ${e.campaignId} = ${id} and ${ownedBy(e.projectId, projectId)}
        and (${e.openedAt} is not null or ${e.clickedAt} is not null)
    )
    (select 'agent' as kind, coalesce(agent, '') as name, count(*)::int as people
      from readers group by 2 order by 3 desc limit ${mostReaders})
    union all
    (select 'ip', ip, count(*)::int from readers where ip is not null
      group by 2 order by 3 desc limit ${mostReaders})
    union all
    (select 'hour', hour::text, count(*)::int from readers group by 2)`);
}

function grouped(readings: readonly Reading[], nameOf: (name: string) => string | null) {
  const sums = new Map<string, number>();
  for (const { name, people } of readings) {
    const group = nameOf(name);
    if (group !== null) sums.set(group, (sums.get(group) ?? 0) + people);
  }
  return [...sums]
    .map(([name, people]) => ({ name, people }))
    .sort((one, other) => other.people - one.people)
    .slice(0, shown);
}

/** `Berlin, Germany` is in Germany. */
const countryOf = (ip: string) => placeOf(ip)?.split(", ").at(-1) ?? null;

const readBreakdown = (ctx: Context, campaign: CampaignRow): Promise<CampaignBreakdown> =>
  slowRead(ctx, longestSeconds, async (tx) => {
    const timeZone = campaign.timeZone ?? "UTC";
    const { deliveryConfirmed } = (await readFigures(tx, ctx.projectId, [campaign]))(campaign.id);
    const mail = sql`(select * from ${emails}
      where ${emails.campaignId} = ${campaign.id} and ${ownedBy(emails.projectId, ctx.projectId)})`;
    const providers = await readProviderFigures(tx, mail, deliveryConfirmed);
    const readings = await readReadings(tx, campaign, timeZone);
    const of = (kind: Reading["kind"]) => readings.filter((reading) => reading.kind === kind);
    const byHour = new Map(of("hour").map(({ name, people }) => [Number(name), people]));
    return {
      deliveryConfirmed,
      providers,
      devices: grouped(of("agent"), deviceOf),
      countries: grouped(of("ip"), countryOf),
      hours: Array.from({ length: 24 }, (_, hour) => byHour.get(hour) ?? 0),
      timeZone,
    };
  });

/**
 * A campaign's figures by receiving provider, and its readers by device, country and hour of the day.
 * Cached for a minute. Throws NOT_FOUND. Needs viewer.
 */
export async function getCampaignBreakdown(ctx: Context, id: string): Promise<CampaignBreakdown> {
  requireRole(ctx, "viewer");
  const campaign = await findCampaignRow(ctx.db, ctx, id);
  return remembered.of(campaign.id, () => readBreakdown(ctx, campaign));
}
