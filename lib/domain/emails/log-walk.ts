import { sql, type SQL } from "drizzle-orm";
import { isTrouble } from "@/db/enums";
import { emails, messages } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { rangeMilliseconds } from "@/lib/ground/paging/date-bounds";
import { postgresTime } from "@/lib/ground/time-schema";
import { fewClicked } from "./log-clicks";
import { addressHas, fewFoundByAddress, rowConditions } from "./log-conditions";
import { campaignContents, emailHas, type AskedContent } from "./log-content";
import {
  alongIndex,
  emailsBySubject,
  emailsByTrouble,
  emailsOfLists,
  emailsOfLog,
  messagesBySubject,
  messagesByTemplate,
  orderOf,
  type LogIndex,
} from "./log-indexes";
import {
  campaignsLane,
  emailsLane,
  idsLane,
  instantsLane,
  peopleLane,
  type Lane,
  type LaneQuery,
} from "./log-lanes";
import { isBehind, lowestId, timeKey, type LogPlace } from "./log-place";
import { campaignStretches, type Stretch } from "./log-stretches";
import { fewWaiting } from "./log-waiting";
import type { LogQuery } from "./log-schema";

/*
 * The log by what it is filtered by. What an index would hold of it changes with every report about an email, or stands
 * in its message: either would cost every email. So what is asked may leave little of much, and each request reads only
 * so many emails and says how far it came. Where something else than the log knows where to look, that is asked: single
 * mail of a subject or template is found by its message, campaigns' by the few contents and the times that they have,
 * what waits by the queue, what went badly by the index that only such mail is in.
 */

/** Emails that each lane reads at first. */
const first = 300;
/** And at most at once, where nothing but the email itself is read of each: further back lies what is not in memory. */
const ofEmails = { largest: 25_000, steps: 8 };
const ofLookedUp = { largest: 4_000, steps: 3 };
/** What a search is to take, in milliseconds: how much that is depends on the machine and on what is asked. */
const aim = 60;
/** Campaigns' mail lies together and is all of few messages. */
const campaignMail = 4;
/** So far is counted what each index would have to be read for. */
const compared = 4_000;

export interface Walked {
  /** Newest first, no more than were wanted. */
  found: LogPlace[];
  /** Where the search stopped before it was through; null: at the end, or because enough was found. */
  reached: LogPlace | null;
}

interface LaneAnswer extends Record<string, unknown> {
  hits: [at: string, id: string][];
  reached: LogPlace | null;
}

/** What is looked up for each email, and not found by an index. */
export const looksUpEach = ({ link, provider }: LogQuery) =>
  link !== undefined || provider !== undefined;

/** Finds emails with the content (null: any) that match the query, behind a place of the log. Throws NOT_FOUND. */
export async function walkLog(
  ctx: Context,
  query: LogQuery,
  content: AskedContent | null,
  from: LogPlace | null,
  wanted: number,
): Promise<Walked> {
  const { lanes, start } = await lanesOf(ctx, query, content, from);
  if (lanes.length === 0) return { found: [], reached: null };
  const ofThemselves = content === null && !query.search && !looksUpEach(query);
  const { largest, steps } = ofThemselves ? ofEmails : ofLookedUp;
  const found: LogPlace[] = [];
  let place = start;
  const began = performance.now();
  for (let step = 1, most: number = first; ; step++) {
    const stepBegan = performance.now();
    const answers = await Promise.all(
      lanes.map((lane) => walk(ctx, lane(place, most), wanted - found.length)),
    );
    const reached = answers.reduce<LogPlace | null>(
      (nearest, answer) =>
        answer.reached && (nearest === null || isBehind(nearest, answer.reached))
          ? answer.reached
          : nearest,
      null,
    );
    const hits = answers
      .flatMap((answer) => answer.hits.map(([at, id]) => ({ at, id })))
      // What one lane saw further back, another may not have come to.
      .filter((hit) => reached === null || !isBehind(hit, reached))
      .sort((one, other) => (isBehind(one, other) ? 1 : -1));
    found.push(...hits.slice(0, wanted - found.length));
    if (found.length === wanted || reached === null) return { found, reached: null };
    place = reached;
    const now = performance.now();
    if (step === steps || now - began > aim / 2) return { found, reached };
    const affordable = (most * (aim - (now - began))) / (now - stepBegan);
    most = Math.round(Math.min(largest, Math.max(first, affordable)));
  }
}

async function walk(ctx: Context, lane: SQL, wanted: number): Promise<LaneAnswer> {
  const [row] = await ctx.db.execute<LaneAnswer>(sql`
    with ${lane}, hits as (
      select walked.id, walked.created_at from walked where walked.hit
      order by walked.created_at desc, walked.id desc limit ${wanted}::int
    )
    select (select jsonb_build_object('at', reached.at, 'id', reached.id) from reached) as reached,
      coalesce((select jsonb_agg(jsonb_build_array(${timeKey(sql`hits.created_at`)}, hits.id)) from hits),
        '[]') as hits`);
  if (!row) throw new Error("A select of values returned no row.");
  return row;
}

/** The lanes that together meet every email that matches, and where they start. */
async function lanesOf(
  ctx: Context,
  query: LogQuery,
  content: AskedContent | null,
  cursor: LogPlace | null,
): Promise<{ lanes: Lane[]; start: LogPlace }> {
  const { projectId } = ctx;
  const { conditions, stretch, counted, campaignId } = await rowConditions(ctx, query);
  const { start, from } = boundsOf(query, stretch, cursor);
  const along = (...lanes: Lane[]) => ({ lanes, start });
  if (stretch?.begun === null || !(await mayBe(ctx, counted))) return along();
  const shared: LaneQuery = { projectId, dates: query, from, conditions };
  const whole = content ? [emailHas(content)] : [];
  if (query.search) {
    const found = await fewFoundByAddress(ctx, query.search);
    if (found) {
      const { people, toStrangers } = found;
      const ofPeople = peopleLane(shared, people, whole);
      return toStrangers.length > 0
        ? along(ofPeople, idsLane(shared, toStrangers, whole))
        : along(ofPeople);
    }
    conditions.push(addressHas(query.search));
  }
  const trouble = troubleOf(query);
  const ofTrouble = trouble === null ? null : emailsByTrouble(projectId, trouble);
  const waiting = query.status === "PENDING" ? await fewWaiting(ctx) : null;
  if (waiting) return along(idsLane(shared, waiting, whole));
  const clicked = query.link && campaignId ? await fewClicked(ctx, campaignId, query.link) : null;
  if (clicked) return along(idsLane(shared, clicked, whole));
  if (!content) return along(await laneOfAny(ctx, query, shared, ofTrouble));
  const { subject, templateId } = content;
  const contents =
    query.source === undefined || query.source === "CAMPAIGN"
      ? await campaignContents(ctx, content, campaignId)
      : [];
  const ofCampaigns = contents.reduce((sum, { recipients }) => sum + recipients, 0) / campaignMail;
  const single =
    campaignId !== null || query.source === "CAMPAIGN"
      ? []
      : [
          ...(subject === null ? [] : [messagesBySubject(projectId, subject)]),
          ...(templateId === null ? [] : [messagesByTemplate(templateId)]),
        ];
  const sizes = await sizesOf(ctx, { single, ofTrouble, start, from });
  const rarest = single[sizes.single.indexOf(Math.min(...sizes.single))];
  if (ofTrouble && sizes.trouble < (rarest ? Math.min(...sizes.single) : 0) + ofCampaigns) {
    return along(emailsLane(shared, ofTrouble, whole));
  }
  const lanes: Lane[] = [];
  if (rarest) lanes.push(instantsLane(shared, rarest, content));
  if (contents.length > 0) {
    const ids = contents.map(({ messageId }) => messageId);
    const lane = campaignsLane(shared, contents, [
      sql`${emails.messageId} = any(${sql.param(ids)}::uuid[])`,
    ]);
    lanes.push((place, most) => lane(place, most * campaignMail));
  }
  if (subject !== null) {
    const asGot = [
      sql`${emails.subject} = ${subject}`,
      ...(templateId === null ? [] : [emailHas({ subject: null, templateId })]),
    ];
    lanes.push(emailsLane(shared, emailsBySubject(projectId, subject), asGot));
  }
  return along(...lanes);
}

/** The lane of a query that asks for no content. */
async function laneOfAny(
  ctx: Context,
  { source, campaignId }: LogQuery,
  shared: LaneQuery,
  ofTrouble: LogIndex | null,
): Promise<Lane> {
  if (ofTrouble) return emailsLane(shared, ofTrouble, []);
  if (source === "WORKFLOW") return emailsLane(shared, emailsOfLists(ctx.projectId), []);
  if (source === "CAMPAIGN" && campaignId === undefined)
    return campaignsLane(shared, await campaignStretches(ctx), []);
  return emailsLane(shared, emailsOfLog(ctx.projectId), []);
}

/** The stretch of the log that dates, campaign and cursor leave. */
function boundsOf(query: LogQuery, stretch: Stretch | null, cursor: LogPlace | null) {
  const range = rangeMilliseconds(query);
  // A date may have microseconds: each lane compares them, too.
  const ends = [
    postgresTime(range.before + 1),
    ...(stretch?.done ? [stretch.done] : []),
    ...(cursor ? [cursor.at] : []),
  ];
  const at = ends.reduce((nearest, end) => (end < nearest ? end : nearest));
  const begins = [postgresTime(range.from), ...(stretch?.begun ? [stretch.begun] : [])];
  return {
    start: cursor && cursor.at === at ? cursor : { at, id: lowestId },
    // In the order of text, too: a minus stands before every digit.
    from: begins.reduce((latest, begin) => (begin > latest ? begin : latest)),
  };
}

async function mayBe({ db }: Context, counted: SQL | null): Promise<boolean> {
  if (!counted) return true;
  const [row] = await db.execute<{ counted: boolean }>(sql`select ${counted} as counted`);
  return row?.counted ?? false;
}

/** The rare status that a query asks for, in whatever words. */
function troubleOf({ status, event }: LogQuery): string | null {
  if (status && isTrouble(status)) return status;
  return event === "bounced" || event === "complained" || event === "failed"
    ? event.toUpperCase()
    : null;
}

/** How much of each index lies in the stretch, up to `compared`. Not counted where nothing is to be chosen. */
async function sizesOf(
  { db }: Context,
  {
    single,
    ofTrouble,
    start,
    from,
  }: { single: readonly LogIndex[]; ofTrouble: LogIndex | null; start: LogPlace; from: string },
): Promise<{ single: number[]; trouble: number }> {
  if (!ofTrouble && single.length < 2) return { single: single.map(() => 0), trouble: Infinity };
  const size = (of: SQL, index: LogIndex) => {
    const conditions = alongIndex(index, start, sql`${from}::timestamptz`);
    return sql`(select count(*)::int from (select from ${of}
      where ${sql.join(conditions, sql` and `)} ${orderOf(index)} limit ${compared}::int) as counted)`;
  };
  const [row] = await db.execute<{ single: number[]; trouble: number | null }>(sql`
    select array[${sql.join(
      single.map((index) => size(sql`${messages}`, index)),
      sql`, `,
    )}]::int[] as single, ${ofTrouble ? size(sql`${emails}`, ofTrouble) : sql`null::int`} as trouble`);
  if (!row) throw new Error("A select of values returned no row.");
  return { single: row.single, trouble: row.trouble ?? Infinity };
}
