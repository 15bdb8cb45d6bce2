import { and, desc, eq, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { departureScopes, type ConsentOrigin, type departureParts } from "@/db/enums";
import {
  campaigns,
  departureFigures,
  departureTotals,
  formDepartures,
  forms,
  lists,
  topics,
} from "@/db/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { postgresTime } from "@/lib/ground/time-schema";
import { figureParts } from "./figure-parts";
import { mostDays, type DepartureQuery, type Departures } from "./schema";
import { spanOf, type Span } from "./span";

type Named = typeof campaigns | typeof lists | typeof topics | typeof forms;

const mostShown = 20;

/** People by one thing. */
interface Figure extends Record<string, unknown> {
  thing: (typeof departureParts)[number];
  /** An id, or a word; for a day: what they left. */
  which: string;
  /** YYYY-MM-DD */
  day: string | null;
  name: string | null;
  people: number;
}

/** Up to where the project's days have been added to the totals, in milliseconds. */
async function foldedUntil(tx: Transaction, { projectId }: Context): Promise<number> {
  const { since } = departureTotals;
  const [last] = await tx
    .select({ since })
    .from(departureTotals)
    .where(and(eq(departureTotals.projectId, projectId), eq(departureTotals.by, "day")))
    .orderBy(desc(since))
    .limit(1);
  return last ? last.since.getTime() + 86_400_000 : Number.NEGATIVE_INFINITY;
}

/** Whole months from the totals and the rest of the range from the daily figures, so that each day counts once. */
function figuresOf({ projectId }: Context, { from, before, folded, months, days }: Span) {
  const { by, since, value, people } = departureTotals;
  const ofProject = sql`${departureTotals.projectId} = ${projectId}`;
  const ofDays = (table: typeof departureFigures | typeof formDepartures) => {
    const edges = days.map(
      (edge) =>
        sql`${table.day} >= ${postgresTime(edge.from)} and ${table.day} < ${postgresTime(edge.before)}`,
    );
    return sql`${table.projectId} = ${projectId} and (${sql.join([sql`false`, ...edges], sql` or `)})`;
  };
  const kind = (name: Figure["thing"]) => sql.raw(`'${name}'`);
  const nameOf = (name: Figure["thing"], { id, projectId: owner, name: called }: Named) => sql`
    when ${kind(name)} then (select ${called} from ${id.table}
      where ${owner} = ${projectId} and ${id} = placed.which::uuid)`;
  return sql`
    with counted(thing, which, moment, left_by) as (
      select ${by}, ${value}, ${since}, ${people} from ${departureTotals}
      where ${ofProject} and ${by} = ${kind("day")}
        and ${since} >= ${postgresTime(from)} and ${since} < ${postgresTime(Math.min(before, folded))}
      union all
      select ${by}, ${value}, null, ${people} from ${departureTotals}
      where ${ofProject} and ${by} <> ${kind("day")}
        and ${since} >= ${postgresTime(months.from)} and ${since} < ${postgresTime(months.before)}
      union all
      select part.thing, part.which,
        case part.thing when ${kind("day")} then ${departureFigures.day} end, ${departureFigures.people}
      from ${departureFigures} cross join lateral (${figureParts}) as part(thing, which)
      where ${ofDays(departureFigures)} and part.which is not null
        and (part.thing <> ${kind("day")} or ${departureFigures.day} >= ${postgresTime(folded)})
      union all
      select ${kind("form")}, ${formDepartures.formId}::text, null, ${formDepartures.people}
      from ${formDepartures} where ${ofDays(formDepartures)}
    ), figures as (
      select thing, which, moment, sum(left_by)::int as people from counted group by 1, 2, 3
    ), placed as (
      select figures.*, row_number() over (partition by thing order by people desc, which) as place
      from figures
    )
    select thing, which, people, to_char(moment at time zone 'UTC', 'YYYY-MM-DD') as day,
      case thing ${nameOf("campaign", campaigns)} ${nameOf("list", lists)} ${nameOf("topic", topics)}
        ${nameOf("form", forms)} end as name
    from placed
    where thing in (${kind("day")}, ${kind("reason")}, ${kind("origin")}) or place <= ${mostShown}
    order by thing, moment desc, people desc, which`;
}

/** The latest days on which somebody left, the first of them first. */
function daysOf(figures: readonly Figure[]): Departures["days"] {
  const days = new Map<string, Departures["days"][number]>();
  for (const { day, which, people } of figures) {
    if (day === null) continue;
    const entry = days.get(day) ?? { day, everything: 0, list: 0, topic: 0 };
    days.set(day, { ...entry, [which]: people });
  }
  return [...days.values()].slice(0, mostDays).reverse();
}

/** What people left and how many left it, the most first. */
function scopesOf(figures: readonly Figure[]): Departures["scopes"] {
  const scopes = departureScopes.map((scope) => ({
    scope,
    people: figures
      .filter(({ which }) => which === scope)
      .reduce((sum, { people }) => sum + people, 0),
  }));
  return scopes.filter(({ people }) => people > 0).toSorted((a, b) => b.people - a.people);
}

/**
 * How many people left, and why, by day, campaign, list, topic and the form they had come by: read from daily
 * figures, and for past days from monthly totals, whatever the number of contacts. Needs viewer.
 */
export async function getDepartures(ctx: Context, query: DepartureQuery): Promise<Departures> {
  requireRole(ctx, "viewer");
  // Both in one snapshot: a day added to the totals in between would be read twice, or not at all.
  const figures = await ctx.db.transaction(
    async (tx) => {
      const span = spanOf(query, await foldedUntil(tx, ctx));
      return tx.execute<Figure>(figuresOf(ctx, span));
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
  const by = (kind: Figure["thing"]) => figures.filter((figure) => figure.thing === kind);
  const named = (kind: "campaign" | "list" | "topic" | "form") =>
    by(kind).map(({ which, name, people }) => ({ id: encodeId(kind, which), name, people }));
  const scopes = scopesOf(by("day"));
  return {
    people: scopes.reduce((sum, row) => sum + row.people, 0),
    days: daysOf(by("day")),
    scopes,
    reasons: by("reason").map(({ which, people }) => ({ reason: which || null, people })),
    through: by("origin").map(({ which, people }) => ({ type: which as ConsentOrigin, people })),
    ...{ campaigns: named("campaign"), lists: named("list"), topics: named("topic") },
    forms: named("form"),
  };
}
