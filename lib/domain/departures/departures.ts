import { and, desc, eq, sql } from "drizzle-orm";
import type { ConsentOrigin } from "@/db/enums";
import { campaigns, departureFigures, formDepartures, forms, lists, topics } from "@/db/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { withinDates } from "@/lib/ground/paging/date-bounds";
import { mostDays, type DepartureQuery, type DepartureScope, type Departures } from "./schema";

const nothing = sql`'00000000-0000-0000-0000-000000000000'::uuid`;
const mostShown = 20;

/** People by one thing: which of the columns is set says by what. */
interface Figure extends Record<string, unknown> {
  by: "day" | "scope" | "reason" | "origin" | "campaign" | "list" | "topic";
  /** YYYY-MM-DD */
  day: string | null;
  scope: DepartureScope | null;
  reason: string | null;
  origin: ConsentOrigin | null;
  campaign_id: string | null;
  list_id: string | null;
  topic_id: string | null;
  name: string | null;
  people: number;
}

/** Everything in one pass over the figures, of the things with the most people only those. */
function figuresOf(ctx: Context, query: DepartureQuery) {
  const { projectId, day, scope, reason, origin, campaignId, listId, topicId, people } =
    departureFigures;
  const within = [sql`${projectId} = ${ctx.projectId}`, ...withinDates(sql`${day}`, query)];
  return ctx.db.execute<Figure>(sql`
    with figures as (
      select case 0 when grouping(${day}) then 'day' when grouping(${reason}) then 'reason'
          when grouping(${scope}) then 'scope' when grouping(${origin}) then 'origin'
          when grouping(${campaignId}) then 'campaign' when grouping(${listId}) then 'list'
          else 'topic' end as by,
        ${day}, ${scope}, ${reason}, ${origin}, ${campaignId}, ${listId}, ${topicId},
        sum(${people})::int as people
      from ${departureFigures} where ${sql.join(within, sql` and `)}
      group by grouping sets ((${day}, ${scope}), (${scope}), (${scope}, ${reason}), (${origin}),
        (${campaignId}), (${listId}), (${topicId}))
    ), placed as (
      select figures.*, row_number() over (partition by by order by people desc, campaign_id, list_id, topic_id) as place
      from figures
      where (by <> 'reason' or scope = 'everything')
        and ${nothing} is distinct from case by
          when 'campaign' then campaign_id when 'list' then list_id when 'topic' then topic_id end
    )
    select by, to_char(placed.day at time zone 'UTC', 'YYYY-MM-DD') as day, scope, reason, origin,
      campaign_id, placed.list_id, placed.topic_id, people,
      coalesce(${campaigns.name}, ${lists.name}, ${topics.name}) as name
    from placed
      left join ${campaigns} on ${campaigns.projectId} = ${ctx.projectId} and ${campaigns.id} = placed.campaign_id
      left join ${lists} on ${lists.projectId} = ${ctx.projectId} and ${lists.id} = placed.list_id
      left join ${topics} on ${topics.projectId} = ${ctx.projectId} and ${topics.id} = placed.topic_id
    where by not in ('campaign', 'list', 'topic') or place <= ${mostShown}
    order by by, placed.day desc, people desc, campaign_id, placed.list_id, placed.topic_id, scope, reason, origin`);
}

async function figuresOfForms(ctx: Context, query: DepartureQuery) {
  const { projectId, day, formId } = formDepartures;
  const people = sql<number>`sum(${formDepartures.people})::int`;
  const rows = await ctx.db
    .select({ id: formId, name: sql<string | null>`max(${forms.name})`, people })
    .from(formDepartures)
    .leftJoin(forms, and(eq(forms.projectId, projectId), eq(forms.id, formId)))
    .where(and(eq(projectId, ctx.projectId), ...withinDates(sql`${day}`, query)))
    .groupBy(formId)
    .orderBy(desc(people), formId)
    .limit(mostShown);
  return rows.map((row) => ({ ...row, id: encodeId("form", row.id) }));
}

/** The latest days on which somebody left, the first of them first. */
function daysOf(figures: readonly Figure[]): Departures["days"] {
  const days = new Map<string, Departures["days"][number]>();
  for (const { day, scope, people } of figures) {
    if (day === null || scope === null) continue;
    const entry = days.get(day) ?? { day, everything: 0, list: 0, topic: 0 };
    days.set(day, { ...entry, [scope]: people });
  }
  return [...days.values()].slice(0, mostDays).reverse();
}

/**
 * How many people left, and why, by day, campaign, list, topic and the form they had come by: read from figures that
 * are kept by day, whatever the number of contacts. Needs viewer.
 */
export async function getDepartures(ctx: Context, query: DepartureQuery): Promise<Departures> {
  requireRole(ctx, "viewer");
  const [figures, ofForms] = await Promise.all([figuresOf(ctx, query), figuresOfForms(ctx, query)]);
  const by = (kind: Figure["by"]) => figures.filter((figure) => figure.by === kind);
  const named = (kind: "campaign" | "list" | "topic") =>
    by(kind).map((figure) => ({
      id: encodeId(kind, figure[`${kind}_id`] ?? ""),
      name: figure.name,
      people: figure.people,
    }));
  const scopes = by("scope").flatMap(({ scope, people }) => (scope ? [{ scope, people }] : []));
  return {
    people: scopes.reduce((sum, row) => sum + row.people, 0),
    days: daysOf(by("day")),
    scopes,
    reasons: by("reason").map(({ reason, people }) => ({ reason: reason || null, people })),
    through: by("origin").flatMap(({ origin, people }) =>
      origin ? [{ type: origin, people }] : [],
    ),
    ...{ campaigns: named("campaign"), lists: named("list"), topics: named("topic") },
    forms: ofForms,
  };
}
