import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Executor } from "@/db/client";
import { insertSelected, newIdOf } from "@/db/names";
import { campaigns, emailQueue, emails } from "@/db/schema";
import type { PersonalTime } from "@/db/schema/campaigns";
import type { CampaignRow } from "@/lib/domain/campaigns/readiness";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { zonesOfCountries } from "@/lib/ground/geo/time-zones";

/** The number of reads from which somebody has a usual hour. */
const leastReads = 3;
/** Groups of `reader`, stored as the email's variant: people at their own hour, and the control group. */
const groups = { ownHour: 1, control: 2 };
/** One in this many of those who have a usual hour. */
const controlShare = 10;

/** Zone names that this database knows, in lower case: any other would abort the statement. */
let knownZones: Promise<Map<string, string>> | undefined;

async function readZones(executor: Executor): Promise<Map<string, string>> {
  const rows = await executor.execute<{ name: string }>(sql`
    select name from pg_timezone_names where name !~ '^(posix|right)/'`);
  return new Map(rows.map(({ name }) => [name.toLowerCase(), name]));
}

/**
 * The names a contact's data may contain, in lower case, and the zones they mean; countries are prefixed with
 * `country:`.
 */
async function zoneKeys(executor: Executor): Promise<{ keys: string[]; zones: string[] }> {
  knownZones ??= readZones(executor);
  const zones = await knownZones.catch((error: unknown) => {
    knownZones = undefined;
    throw error;
  });
  const countries = [...zonesOfCountries()].flatMap(([country, zone]) => {
    const name = zones.get(zone.toLowerCase());
    return name === undefined ? [] : [[`country:${country}`, name] as const];
  });
  const all = [...zones, ...countries];
  return { keys: all.map(([key]) => key), zones: all.map(([, zone]) => zone) };
}

const dataText = (...keys: string[]) =>
  sql`lower(trim(coalesce(${sql.join(
    keys.map((key) => sql`${c.data} ->> ${key}::text`),
    sql`, `,
  )})))`;

/** CTE `person`: the people selected from the window, each with their zone. */
async function people(executor: Executor, { timeZone }: CampaignRow, chosen: SQL): Promise<SQL> {
  const { keys, zones } = await zoneKeys(executor);
  const own = timeZone?.toLowerCase() ?? "utc";
  const fallback = zones[keys.indexOf(own)] ?? "UTC";
  return sql`chosen as materialized (
      select ${c.id}, ${c.email}, ${dataText("timezone", "timeZone", "time_zone")} as zone_key,
        'country:' || ${dataText("country", "countryCode", "country_code")} as country_key
      from ${chosen}
    ), zones as materialized (
      select * from unnest(${sql.param(keys)}::text[], ${sql.param(zones)}::text[]) as known(key, zone)
    ), person as materialized (
      select chosen.id, chosen.email, coalesce(own.zone, home.zone, ${fallback}) as zone
      from chosen left join zones own on own.key = chosen.zone_key
        left join zones home on home.key = chosen.country_key
    )`;
}

const e = alias(emails, "e");

/** CTE `habit`: the local hour at which somebody first opened or clicked most of what they read lately. */
const habits = sql`habit as materialized (
      select person.id, mode() within group (order by
        extract(hour from read.at at time zone person.zone))::int as hour
      from person cross join lateral (
        select coalesce(${e.openedAt}, ${e.clickedAt}) as at from ${emails} ${e}
        where ${e.contactId} = person.id and ${e.sentAt} > app_now() - interval '180 days'
          and (${e.openedAt} is not null or ${e.clickedAt} is not null)
      ) read
      group by person.id having count(*) >= ${sql.raw(String(leastReads))}
    )`;

/** CTE `timed`: each person's local time of day, and for `reader` their group. */
function times(campaignId: string, { mode, at }: PersonalTime): SQL {
  if (mode === "local") {
    return sql`timed as (
      select id, email, zone, ${at}::time as local_time, null::smallint as variant from person
    )`;
  }
  const isControl = sql`hashtextextended(${campaignId}::text || person.id::text, 0)
    % ${sql.raw(String(controlShare))} = 0`;
  return sql`${habits}, timed as (
      select person.id, email, zone,
        case when habit.id is null or ${isControl} then ${at}::time else make_time(hour, 0, 0) end as local_time,
        case when habit.id is null then null when ${isControl} then ${sql.raw(String(groups.control))}
          else ${sql.raw(String(groups.ownHour))} end::smallint as variant
      from person left join habit on habit.id = person.id
    )`;
}

/**
 * Writes the emails of one window, each due when the person's clock first shows its hour after the campaign began:
 * within a day, even across a clock change. Mail to people whose hour passed while the audience was being written
 * is sent at once.
 */
export async function queueAtPersonalTimes(
  executor: Executor,
  campaign: CampaignRow & { personalTime: PersonalTime },
  messageId: string,
  chosen: SQL,
): Promise<number> {
  const { id, projectId, personalTime } = campaign;
  const day = sql`date_trunc('day', begun.at at time zone zone)`;
  const { count } = await executor.execute(sql`
    with ${await people(executor, campaign, chosen)}, ${times(id, personalTime)}, begun as materialized (
      select ${campaigns.startedAt} as at from ${campaigns} where ${campaigns.id} = ${id}
    ), due as materialized (
      select ${newIdOf(sql`${projectId}::uuid`)} as email_id, timed.*, case when today.at >= begun.at then today.at
        else (${day} + interval '1 day' + local_time) at time zone zone end as due_at
      from timed cross join begun
        cross join lateral (select (${day} + local_time) at time zone zone as at) today
    ), written as (${insertSelected(emails, {
      id: sql`email_id`,
      projectId: sql`${projectId}`,
      messageId: sql`${messageId}`,
      contactId: sql`id`,
      campaignId: sql`${id}`,
      recipient: sql`email`,
      variant: sql`variant`,
      source: sql`'CAMPAIGN'`,
      status: sql`'PENDING'`,
    })}
    from due)
    ${insertSelected(emailQueue, {
      emailId: sql`email_id`,
      projectId: sql`${projectId}`,
      campaignId: sql`${id}`,
      dueAt: sql`greatest(due_at, app_now())`,
      asleep: sql`due_at > app_now()`,
    })}
    from due`);
  return count;
}
