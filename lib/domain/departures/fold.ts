import { sql, type SQL } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import { assignments, columns, excluded, insertSelectedAs } from "@/db/names";
import { departureFigures, departureTotals, formDepartures, projects } from "@/db/schema";
import type { departureParts } from "@/db/enums";
import { figureParts } from "./figure-parts";

const of = (value: (typeof departureParts)[number]): SQL => sql.raw(`'${value}'`);

/** Up to where a project's days have been added. */
const latestOf = (owner: SQL) => sql`coalesce(
  (select max(${departureTotals.since}) from ${departureTotals}
    where ${departureTotals.projectId} = ${owner} and ${departureTotals.by} = ${of("day")}), '-infinity')`;

/** The figures of past days after `latest`: an hour after a day ends, no transaction that began in it is left. */
const isNew = (latest: SQL) => sql`
  ${departureFigures.day} > ${latest}
  and ${departureFigures.day} < date_trunc('day', app_now() - interval '1 hour', 'UTC')`;

/** Projects that have days to add. */
export async function projectsToFold(db: Database): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select done.id from (
      select ${projects.id}, ${latestOf(sql`${projects.id}`)} as latest from ${projects}
    ) done
    where exists (select from ${departureFigures}
      where ${departureFigures.projectId} = done.id and ${isNew(sql`done.latest`)})
    order by done.id`);
  return rows.map(({ id }) => id);
}

/**
 * Adds a project's next past days to its totals, each once: as many whole days as it takes to read at least
 * `atOnce` rows of figures. Resolves to whether there may be more; also false while somebody else is doing it.
 */
export async function foldDepartures(
  tx: Transaction,
  projectId: string,
  atOnce: number,
): Promise<boolean> {
  // Two at the same time would both add the same days.
  const [lock] = await tx.execute<{ ours: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtext('departure_totals'), hashtext(${projectId})) as ours`);
  if (!lock?.ours) return false;
  // A separate statement, so that it sees what was added before the lock was free.
  const [next] = await tx.execute<{ after: string; upTo: string | null }>(sql`
    select done.latest::text as after, (select max(few.day)::text from (
      select ${departureFigures.day} from ${departureFigures}
      where ${departureFigures.projectId} = ${projectId} and ${isNew(sql`done.latest`)}
      order by ${departureFigures.day} limit ${atOnce}) few) as "upTo"
    from (select ${latestOf(sql`${projectId}`)} as latest) done`);
  if (!next?.upTo) return false;
  const { by, since, value, people } = departureTotals;
  const isNext = (table: typeof departureFigures | typeof formDepartures) => sql`
    ${table.projectId} = ${projectId} and ${table.day} > ${next.after} and ${table.day} <= ${next.upTo}`;
  await tx.execute(sql`
    with fresh as (
      select ${departureFigures.day} as moment, ${departureFigures.people} as lost, part.thing, part.which
      from ${departureFigures} cross join lateral (${figureParts}) as part(thing, which)
      where ${isNext(departureFigures)}
      union all
      select ${formDepartures.day}, ${formDepartures.people}, ${of("form")}, ${formDepartures.formId}::text
      from ${formDepartures} where ${isNext(formDepartures)}
    )
    ${insertSelectedAs(departureTotals, sql` as kept`, {
      projectId: sql`${projectId}::uuid`,
      by: sql`fresh.thing`,
      since: sql`case fresh.thing when ${of("day")} then fresh.moment
        else date_trunc('month', fresh.moment, 'UTC') end`,
      value: sql`fresh.which`,
      people: sql`sum(fresh.lost)`,
    })}
    from fresh where fresh.which is not null
    group by 1, 2, 3, 4
    on conflict (${columns(departureTotals.projectId, by, since, value)}) do update set ${assignments(
      departureTotals,
      { people: sql`kept.${columns(people)} + ${excluded(people)}` },
    )}`);
  return true;
}
