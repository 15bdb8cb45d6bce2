import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { goalFigures, goalPeriods, type GoalFigure, type GoalPeriod } from "@/db/enums";
import { contacts, goals, hourlyFigures } from "@/db/schema";
import { arrivalOf, rateOf, type HandedOver } from "@/lib/ground/counters/arrival";
import { encodeId } from "@/lib/ground/ids/ids";
import { firstIdOf } from "@/lib/ground/ids/first-id";
import type { Goal } from "./schema";
import { goalRules, mostNewContacts } from "./terms";

const summed = [
  "sent",
  "delivered",
  "inferred",
  "bounced",
  "opened",
  "clicked",
  "unsubscribed",
] as const;
type Sums = HandedOver & Record<(typeof summed)[number], number>;

/** Times in milliseconds: a text would be in the session's time zone. */
export interface GoalRow extends Record<string, unknown>, Sums {
  id: string;
  figure: GoalFigure;
  period: GoalPeriod;
  target: number;
  created: number;
  updated: number;
  starts: number;
  ends: number;
  now: number;
  added: number;
}

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** In UTC, as all of Overview is, whatever the session's time zone. */
const zone = sql`'UTC'`;
const lengths: Record<GoalPeriod, string> = {
  week: "7 days",
  month: "1 month",
  quarter: "3 months",
};
const milliseconds = (instant: ReturnType<typeof sql>) =>
  sql`floor(extract(epoch from ${instant}) * 1000)::float8`;

/**
 * A project's goals with the figures of their periods, in one statement: of mail, sums of what is kept by hour; of
 * contacts, the newest ids, each read once however many goals there are. The span of a period is made of local times:
 * a month added to an instant is one of the session's time zone.
 */
async function readRows(executor: Executor, projectId: string): Promise<readonly GoalRow[]> {
  // A subquery that stands alone is worked out once, not for each contact.
  const firstOf = (period: GoalPeriod) =>
    sql`(select ${firstIdOf(sql`starts`)} from period where name = ${period})`;
  const kept = sql.join(
    summed.map((name) => sql`sum(${hourlyFigures[name]})::float8 as ${sql.identifier(name)}`),
    sql`, `,
  );
  const sums = sql.join(
    summed.map((name) => sql`sum(hours.${sql.identifier(name)}) as ${sql.identifier(name)}`),
    sql`, `,
  );
  const shown = sql.join(
    summed.map((name) => sql`coalesce(mail.${sql.identifier(name)}, 0) as ${sql.identifier(name)}`),
    sql`, `,
  );
  const spans = sql.join(
    goalPeriods.map((name) => sql`(${name}::text, ${lengths[name]}::interval)`),
    sql`, `,
  );
  const added = sql.join(
    goalPeriods.map(
      (name) =>
        sql`count(*) filter (where newest.id >= ${firstOf(name)})::int as ${sql.identifier(name)}`,
    ),
    sql`, `,
  );
  return executor.execute<GoalRow>(sql`
    with mine as materialized (
      select * from ${goals} where ${goals.projectId} = ${projectId}
    ), period as materialized (
      select name, local at time zone ${zone} as starts, (local + lasts) at time zone ${zone} as ends
      from (values ${spans}) as span(name, lasts)
      cross join lateral (select date_trunc(name, app_now() at time zone ${zone}) as local) as begun
      where exists (select from mine where mine.period = name)
    ), hours as (
      select ${hourlyFigures.hour}, ${kept} from ${hourlyFigures}
      where ${hourlyFigures.projectId} = ${projectId}
        and ${hourlyFigures.hour} >= (select min(starts) from period join mine on mine.period = name
          where figure <> 'newContacts')
      group by ${hourlyFigures.hour}
    ), mail as (
      select name, ${sums} from period join hours on hours.hour >= starts group by name
    ), added as (
      select ${added} from (
        select ${contacts.id} from ${contacts}
        where ${contacts.projectId} = ${projectId}
          and ${contacts.id} >= (select ${firstIdOf(sql`min(starts)`)}
            from period join mine on mine.period = name where figure = 'newContacts')
        order by ${contacts.id} desc limit ${mostNewContacts}
      ) as newest
    )
    select mine.id, mine.figure, mine.period, mine.target,
      ${milliseconds(sql`mine.created_at`)} as created,
      ${milliseconds(sql`mine.updated_at`)} as updated,
      ${milliseconds(sql`period.starts`)} as starts, ${milliseconds(sql`period.ends`)} as ends,
      ${milliseconds(sql`app_now()`)} as now,
      case mine.period when 'week' then added.week when 'month' then added.month
        else added.quarter end as added,
      ${shown}
    from mine join period on period.name = mine.period left join mail on mail.name = mine.period
      cross join added`);
}

/** What a rate is made of: the same parts and wholes as Overview's. */
function shareOf(row: GoalRow): NonNullable<Goal["of"]> {
  const { confirmed: deliveryConfirmed, arrived } = arrivalOf(row);
  if (row.figure === "bounceRate") return { part: row.bounced, whole: row.sent, deliveryConfirmed };
  const parts: Partial<Record<GoalFigure, number>> = {
    openRate: row.opened,
    clickRate: row.clicked,
    unsubscribeRate: row.unsubscribed,
  };
  return { part: parts[row.figure] ?? 0, whole: arrived, deliveryConfirmed };
}

function standingOf(
  { figure, target }: GoalRow,
  reached: number | null,
  expected: number | null,
): Goal["standing"] {
  if (reached === null) return "nothing";
  if (goalRules[figure].direction === "atMost") return reached <= target ? "within" : "exceeded";
  if (reached >= target) return "reached";
  return expected !== null && reached >= expected ? "onPace" : "behind";
}

function toGoal(row: GoalRow): Goal {
  const { figure, period, target, starts, ends, now } = row;
  const counts = goalRules[figure].unit === "count";
  const of = counts ? null : shareOf(row);
  const count = figure === "newContacts" ? row.added : row.sent;
  // Rounded as it is shown, so that what looks reached is.
  const rate = of && of.whole > 0 ? Math.round(rateOf(of.part, of.whole) * 10_000) / 100 : null;
  const reached = counts ? count : rate;
  const expected = counts ? Math.round((target * (now - starts)) / (ends - starts)) : null;
  return {
    ...{ id: encodeId("goal", row.id), figure, period, target },
    startsAt: new Date(starts).toISOString(),
    endsAt: new Date(ends).toISOString(),
    daysLeft: Math.ceil((ends - now) / dayMilliseconds),
    ...{ reached, of, expected },
    standing: standingOf(row, reached, expected),
    createdAt: new Date(row.created).toISOString(),
    updatedAt: new Date(row.updated).toISOString(),
  };
}

/** By period, the shortest first, and then as Overview orders its figures. */
const placeOf = ({ figure, period }: Goal) =>
  goalPeriods.indexOf(period) * goalFigures.length + goalFigures.indexOf(figure);

/** All of a project's goals, and how far each is. */
export async function readGoals(executor: Executor, projectId: string): Promise<Goal[]> {
  const rows = await readRows(executor, projectId);
  return rows.map(toGoal).toSorted((one, other) => placeOf(one) - placeOf(other));
}
