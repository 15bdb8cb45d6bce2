import { sql, type SQL } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { assignments, columns, excluded, insertSelectedAs } from "@/db/names";
import { departureFigures, departureTotals, formDepartures, projects } from "@/db/schema";
import type { departureParts } from "@/db/enums";
import { figureParts } from "./figure-parts";

/** Of a project that was looked at, what is new and over: no transaction that began in the day is left an hour after it. */
const isNew = (table: typeof departureFigures | typeof formDepartures) => sql`
  ${table.projectId} = done.owner and ${table.day} > done.latest
  and ${table.day} < date_trunc('day', app_now() - interval '1 hour', 'UTC')`;

const of = (value: (typeof departureParts)[number]): SQL => sql.raw(`'${value}'`);

/** Adds the days that are over to the totals, each once. */
export async function foldDepartures(tx: Transaction): Promise<void> {
  // Two at once would both add the same days.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('departure_totals'))`);
  const { projectId, by, since, value, people } = departureTotals;
  await tx.execute(sql`
    with done as materialized (
      select ${projects.id} as owner, coalesce(
        (select max(${since}) from ${departureTotals}
          where ${projectId} = ${projects.id} and ${by} = ${of("day")}), '-infinity') as latest
      from ${projects}
    ), fresh as (
      select done.owner, ${departureFigures.day} as moment, ${departureFigures.people} as lost,
        part.thing, part.which
      from done join ${departureFigures} on ${isNew(departureFigures)}
        cross join lateral (${figureParts}) as part(thing, which)
      union all
      select done.owner, ${formDepartures.day}, ${formDepartures.people}, ${of("form")},
        ${formDepartures.formId}::text
      from done join ${formDepartures} on ${isNew(formDepartures)}
    )
    ${insertSelectedAs(departureTotals, sql` as kept`, {
      projectId: sql`fresh.owner`,
      by: sql`fresh.thing`,
      since: sql`case fresh.thing when ${of("day")} then fresh.moment
        else date_trunc('month', fresh.moment, 'UTC') end`,
      value: sql`fresh.which`,
      people: sql`sum(fresh.lost)`,
    })}
    from fresh where fresh.which is not null
    group by 1, 2, 3, 4
    on conflict (${columns(projectId, by, since, value)}) do update set ${assignments(
      departureTotals,
      { people: sql`kept.${columns(people)} + ${excluded(people)}` },
    )}`);
}
