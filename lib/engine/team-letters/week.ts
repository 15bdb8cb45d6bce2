import { and, eq, gte, lt, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { contacts, hourlyFigures, memberships, teamLetters } from "@/db/schema";
import { insertSelected, newIdOf } from "@/db/names";
import { wantsLetters } from "@/lib/domain/team-letters/choices";
import { worksHere } from "@/lib/ground/queue/resting-projects";

export const weekFigures = [
  "sent",
  "opened",
  "clicked",
  "bounced",
  "complained",
  "unsubscribed",
  "joined",
] as const;
type WeekFigure = (typeof weekFigures)[number];

export interface Week {
  /** Its first and last day. */
  from: Date;
  to: Date;
  /** For the week, and for the one before it. */
  figures: Record<WeekFigure, { now: number; before: number }>;
}

const dayMilliseconds = 86_400_000;
/** Summaries are written down from Monday, 7:00 UTC, for a day: anybody who asks for them later waits for the next. */
const hourOfSummaries = 7;

/** Writes down the summaries of the week that ended on Sunday, one for each project in which somebody wants it. */
export async function noteWeeklySummaries(db: Database): Promise<void> {
  const monday = sql`date_trunc('week', app_now(), 'UTC')`;
  const begins = sql`${monday} + make_interval(hours => ${hourOfSummaries})`;
  const week = sql`to_char((${monday} - interval '7 days') at time zone 'UTC', 'YYYY-MM-DD')`;
  await db.execute(sql`
    ${insertSelected(teamLetters, {
      id: newIdOf(sql`wanting.project_id`),
      projectId: sql`wanting.project_id`,
      kind: sql`'weeklySummary'`,
      key: week,
      data: sql`'{}'::jsonb`,
    })}
    from (
      select distinct ${memberships.projectId} from ${memberships}
      where app_now() >= ${begins} and app_now() < ${begins} + interval '1 day'
        and ${wantsLetters("weeklySummary")} and ${worksHere(memberships.projectId)}
    ) wanting
    on conflict do nothing`);
}

/** The figures of the week that begins on `monday` (YYYY-MM-DD, UTC); null when nothing happened in it nor in the one before. */
export async function readWeek(
  db: Database,
  projectId: string,
  monday: string,
): Promise<Week | null> {
  const from = new Date(`${monday}T00:00:00Z`);
  const starts = [new Date(from.getTime() - 7 * dayMilliseconds), from];
  const [before, now] = await Promise.all(starts.map((start) => readFigures(db, projectId, start)));
  if (!before || !now) throw new Error("A week without figures.");
  const figures = Object.fromEntries(
    weekFigures.map((figure) => [figure, { now: now[figure], before: before[figure] }]),
  ) as Week["figures"];
  const isQuiet = weekFigures.every((figure) => now[figure] + before[figure] === 0);
  return isQuiet ? null : { from, to: new Date(from.getTime() + 6 * dayMilliseconds), figures };
}

const total = (figure: Exclude<WeekFigure, "joined">) =>
  sql<number>`coalesce(sum(${hourlyFigures[figure]}), 0)::int`;

async function readFigures(
  db: Database,
  projectId: string,
  start: Date,
): Promise<Record<WeekFigure, number>> {
  const end = new Date(start.getTime() + 7 * dayMilliseconds);
  const [mail] = await db
    .select({
      sent: total("sent"),
      opened: total("opened"),
      clicked: total("clicked"),
      bounced: total("bounced"),
      complained: total("complained"),
      unsubscribed: total("unsubscribed"),
    })
    .from(hourlyFigures)
    .where(
      and(
        eq(hourlyFigures.projectId, projectId),
        gte(hourlyFigures.hour, start),
        lt(hourlyFigures.hour, end),
      ),
    );
  if (!mail) throw new Error("An aggregate gave no row.");
  const joined = await db.$count(
    contacts,
    and(
      eq(contacts.projectId, projectId),
      gte(contacts.createdAt, start),
      lt(contacts.createdAt, end),
    ),
  );
  return { ...mail, joined };
}
