import { sql, type SQL } from "drizzle-orm";
import { emails, messages } from "@/db/schema";
import { ownedBy } from "@/lib/ground/by-id";
import { withinDates } from "@/lib/ground/paging/date-bounds";
import type { DateRange } from "@/lib/ground/paging/schema";
import { messageHas, type AskedContent } from "./log-content";
import { alongIndex, emailsOfContact, orderOf, type LogIndex } from "./log-indexes";
import { behind, isBehind, lowestId, timeKey, type LogPlace } from "./log-place";
import type { CampaignStretch } from "./log-stretches";

/**
 * A way through the log that meets emails newest first: `walked` (id, created_at, hit) holds those that it met behind a
 * place, `reached` (at, id) how far it came; empty when it came to its end.
 */
export type Lane = (place: LogPlace, most: number) => SQL;

/** What all lanes of a query share. */
export interface LaneQuery {
  projectId: string;
  dates: DateRange;
  /** Where all lanes end: a time as timeKey has it, or `-infinity`. */
  from: string;
  /** Conditions on emails, all but content, dates and place. */
  conditions: readonly SQL[];
}

const and = (conditions: readonly SQL[]) =>
  conditions.length > 0 ? sql.join([...conditions], sql` and `) : sql`true`;
/** A value that is worked out from left to right, the cheapest first. */
const hit = (query: LaneQuery, conditions: readonly SQL[]) =>
  sql`(${and([
    ownedBy(emails.projectId, query.projectId),
    ...withinDates(sql`${emails.createdAt}`, query.dates),
    ...conditions,
  ])}) is true as hit`;
const fromOf = ({ from }: LaneQuery) => sql`${from}::timestamptz`;

/** The lane ends where it met fewer than it may. */
const reachedIfFull = (most: number) => sql`reached as (
  select ${timeKey(sql`walked.created_at`)} as at, walked.id from walked
  where (select count(*) from walked) >= ${most}::int
  order by walked.created_at, walked.id limit 1)`;

/** Emails along an index of theirs. Only hits are kept, and the last email that it met: most that it meets are neither. */
export const emailsLane =
  (query: LaneQuery, index: LogIndex, more: readonly SQL[]): Lane =>
  (place, most) =>
    sql`walked as materialized (
      select met.* from (
        select along.*, row_number() over () as nth from (
          select ${emails.id}, ${emails.createdAt}, ${hit(query, [...query.conditions, ...more])}
          from ${emails} where ${and([
            ...alongIndex(index, place, fromOf(query)),
            // No index is to be chosen for it: with statistics that know nothing, the whole log would be.
            ...(index.id ? [] : [sql`${behind(place)} is true`]),
          ])}
          ${orderOf(index, sql`${emails.id}`)} limit ${most}::int
        ) as along
      ) as met where met.hit or met.nth = ${most}::int
    ), reached as (
      select ${timeKey(sql`walked.created_at`)} as at, walked.id from walked
      where walked.nth = ${most}::int
    )`;

/** These emails (uuids), few enough to be looked at all at once. */
export const idsLane =
  (query: LaneQuery, ids: readonly string[], more: readonly SQL[]): Lane =>
  (place) =>
    sql`walked as materialized (
      select ${emails.id}, ${emails.createdAt}, ${hit(query, [...query.conditions, ...more])}
      from ${emails} where ${emails.id} = any(${sql.param(ids)}::uuid[]) and ${behind(place)} is true
    ), reached as (select null::text as at, null::uuid as id where false)`;

/** The mail of these people (uuids). */
export const peopleLane =
  (query: LaneQuery, people: readonly string[], more: readonly SQL[]): Lane =>
  (place, most) => {
    const index = emailsOfContact(sql`person.id`);
    return sql`walked as materialized (
      select theirs.* from unnest(${sql.param(people)}::uuid[]) as person(id) cross join lateral (
        select ${emails.id}, ${emails.createdAt}, ${hit(query, [...query.conditions, ...more])}
        from ${emails} where ${and([...alongIndex(index, place, fromOf(query)), behind(place)])}
        ${orderOf(index, sql`${emails.id}`)} limit ${most}::int
      ) as theirs
      order by theirs.created_at desc, theirs.id desc limit ${most}::int
    ), ${reachedIfFull(most)}`;
  };

/**
 * Mail that no campaign wrote has its message's created_at: one statement writes both. So an index of messages tells the
 * instants at which to look.
 */
export const instantsLane =
  (query: LaneQuery, index: LogIndex, content: AskedContent): Lane =>
  (place, most) => {
    const { projectId, dates } = query;
    const written = [
      sql`${emails.projectId} = ${projectId}`,
      sql`${emails.createdAt} = instant.at`,
      sql`${emails.campaignId} is null`,
      behind(place),
      ...withinDates(sql`${emails.createdAt}`, dates),
      ...query.conditions,
    ];
    return sql`found as materialized (
      select ${index.time} as at from ${messages}
      where ${and(alongIndex(index, place, fromOf(query)))} ${orderOf(index)} limit ${most}::int
    ), walked as materialized (
      select written.id, written.created_at, true as hit
      from (select distinct found.at from found) as instant cross join lateral (
        select ${emails.id}, ${emails.createdAt}, ${emails.messageId}
        from ${emails} where ${and(written)} offset 0
      ) as written
      where (select ${and(messageHas(content))} from ${messages} where ${messages.id} = written.message_id)
    ), reached as (
      select ${timeKey(sql`min(found.at)`)} as at, ${lowestId}::uuid as id from found
      having count(*) >= ${most}::int
    )`;
  };

/** The stretches, newest first; those that overlap are one. */
function partsOf(stretches: readonly CampaignStretch[]): CampaignStretch[] {
  const merged: CampaignStretch[] = [];
  const newestFirst = stretches.toSorted((a, b) => (a.begun < b.begun ? 1 : -1));
  for (const { begun, done, recipients } of newestFirst) {
    const last = merged.at(-1);
    if (!last || done < last.begun) merged.push({ begun, done, recipients });
    else {
      last.begun = begun;
      if (done > last.done) last.done = done;
      last.recipients += recipients;
    }
  }
  return merged;
}

/** In each of them lies other mail, too. */
const mostParts = 20;

/** Campaigns' mail: their stretches of the log, as many at once as hold about `most` emails. */
export function campaignsLane(
  query: LaneQuery,
  stretches: readonly CampaignStretch[],
  more: readonly SQL[],
): Lane {
  const parts = partsOf(stretches.filter(({ done }) => done > query.from || query.from[0] === "-"));
  return (place, most) => {
    const left = parts.filter(({ begun }) => begun < place.at);
    const now: CampaignStretch[] = [];
    const atOnce = Math.min(left.length, mostParts);
    for (let emailsIn = 0; emailsIn < most && now.length < atOnce;) {
      const next = left[now.length]!;
      now.push(next);
      emailsIn += Math.max(1, next.recipients);
    }
    const heads = now.map(({ done }) =>
      isBehind({ at: done, id: lowestId }, place) ? { at: done, id: lowestId } : place,
    );
    const inPart = [
      sql`(${emails.projectId}, ${emails.createdAt}, ${emails.id})
        < (${query.projectId}::uuid, part.at::timestamptz, part.id)`,
      sql`(${emails.projectId}, ${emails.createdAt})
        >= (${query.projectId}::uuid, part.begun::timestamptz)`,
    ];
    const floor = now.length < left.length ? (now.at(-1)?.begun ?? null) : null;
    return sql`walked as materialized (
      select written.* from unnest(${sql.param(now.map(({ begun }) => begun))}::text[],
          ${sql.param(heads.map(({ at }) => at))}::text[],
          ${sql.param(heads.map(({ id }) => id))}::uuid[]) as part(begun, at, id)
        cross join lateral (
          select ${emails.id}, ${emails.createdAt}, ${hit(query, [...more, ...query.conditions])}
          from ${emails} where ${and(inPart)} order by ${emails.projectId} desc, ${emails.createdAt} desc, ${emails.id} desc
            limit ${most}::int
        ) as written
      order by written.created_at desc, written.id desc limit ${most}::int
    ), full_walk as (
      select ${timeKey(sql`walked.created_at`)} as at, walked.id from walked
      where (select count(*) from walked) >= ${most}::int
      order by walked.created_at, walked.id limit 1
    ), reached as (
      select full_walk.at, full_walk.id from full_walk union all
      select ${floor}::text, ${lowestId}::uuid
      where ${floor}::text is not null and not exists (select from full_walk)
    )`;
  };
}
