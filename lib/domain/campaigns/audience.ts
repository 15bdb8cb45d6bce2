import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import {
  contacts,
  emails,
  lists,
  segments,
  subscribers,
  topicDepartures,
  topics,
} from "@/db/schema";
import { tookTooLong } from "@/db/time-limit";
import { requireRole, type Context } from "@/lib/ground/context";
import { invalid, noSuch } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import { slowRead } from "@/lib/ground/slow-reads";
import { countByState } from "@/lib/domain/contact-states/count";
import { isPaused } from "@/lib/domain/contact-states/state";
import { notSuppressed } from "@/lib/domain/contact-states/suppressed";
import { asksAboutMail, compileFilter } from "@/lib/domain/segments/compile";
import type { Asked } from "@/lib/domain/segments/email-conditions";
import { c } from "@/lib/domain/contact-states/contact-alias";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import type { Audience, AudienceInput } from "./audience-schema";

const longestCountSeconds = 20;

interface Choice {
  filter: SegmentFilter | null;
  listId: string | null;
  /** What the campaign is about (uuid); absent or null: nothing in particular. */
  topicId?: string | null;
  /** Which contacts to look at, when it is not all of them. */
  asked?: Asked;
}

/** Conditions on `contacts c`, the project's first: who is chosen, reachable or not. */
function choiceCondition(projectId: string, { filter, listId, asked }: Choice): SQL {
  const conditions: SQL[] = [eq(c.projectId, projectId)];
  if (listId !== null) {
    conditions.push(sql`exists (select from ${subscribers}
      where ${subscribers.listId} = ${listId} and ${subscribers.contactId} = ${c.id}
        and ${subscribers.status} = 'subscribed')`);
  }
  if (filter !== null) conditions.push(compileFilter(filter, projectId, asked));
  return sql.join(conditions, sql` and `);
}

/** Contacts whose state is `reachable`. */
function reachableCondition(projectId: string, choice: Choice): SQL {
  return sql`(${choiceCondition(projectId, choice)} and ${c.consent} = 'subscribed'
    and not ${isPaused}
    and ${notSuppressed(c.projectId, c.email)})`;
}

/** People who left the topic. */
const hasLeft = (topicId: string) => sql`exists (select from ${topicDepartures}
  where ${topicDepartures.topicId} = ${topicId} and ${topicDepartures.contactId} = ${c.id})`;

/** People who asked for one campaign a week at most, and had one in the last week. */
const hasHadEnough = sql`(${c.weekly} and exists (select from ${emails}
  where ${emails.contactId} = ${c.id} and ${emails.source} = 'CAMPAIGN' and ${emails.status} <> 'FAILED'
    and ${emails.createdAt} > app_now() - interval '7 days'))`;

/**
 * Those who would get a campaign that starts now: contacts whose state is `reachable`, who have not left its topic
 * and have not already had the one campaign a week they asked for.
 */
export function audienceCondition(projectId: string, choice: Choice): SQL {
  const topic = choice.topicId ? sql` and not ${hasLeft(choice.topicId)}` : sql``;
  return sql`(${reachableCondition(projectId, choice)}${topic} and not ${hasHadEnough})`;
}

/** Contacts who are left out although their state is `reachable`. Few are, so that these are looked at alone. */
async function countKeptOut(
  executor: Executor,
  projectId: string,
  choice: Choice,
): Promise<{ left_topic: number; less_often: number }> {
  const { topicId } = choice;
  const reachable = reachableCondition(projectId, choice);
  const left = topicId
    ? sql`(select count(*)::int from ${topicDepartures} cross join lateral (
        select from ${contacts} ${c} where ${c.id} = ${topicDepartures.contactId} and ${reachable} limit 1
      ) person where ${topicDepartures.topicId} = ${topicId})`
    : sql`0`;
  const stays = topicId ? sql`not ${hasLeft(topicId)}` : sql`true`;
  const [row] = await executor.execute<{ left_topic: number; less_often: number }>(sql`
    select ${left} as left_topic, (select count(*)::int
      from (select * from ${contacts} ${c} where ${c.projectId} = ${projectId} and ${c.weekly} offset 0) c
      where ${reachable} and ${hasHadEnough} and ${stays}) as less_often`);
  return row ?? { left_topic: 0, less_often: 0 };
}

/** With a lock, anybody who deletes the row in the meantime waits, and then finds it in use. */
interface ReferenceOptions {
  lock?: boolean;
}

/** The segment's filter as it is now; null when the project has no such segment. */
export async function findFilter(
  executor: Executor,
  projectId: string,
  segmentId: string,
  { lock = false }: ReferenceOptions = {},
): Promise<SegmentFilter | null> {
  const query = executor
    .select({ filter: segments.filter })
    .from(segments)
    .where(and(eq(segments.projectId, projectId), eq(segments.id, segmentId)));
  const [row] = await (lock ? query.for("key share") : query);
  return row?.filter ?? null;
}

/** Whether the project has the list. */
export async function hasList(
  executor: Executor,
  projectId: string,
  listId: string,
  { lock = false }: ReferenceOptions = {},
): Promise<boolean> {
  const query = executor
    .select({ id: lists.id })
    .from(lists)
    .where(and(eq(lists.projectId, projectId), eq(lists.id, listId)));
  const [row] = await (lock ? query.for("key share") : query);
  return row !== undefined;
}

/** Whether the project has the topic. */
export async function hasTopic(
  executor: Executor,
  projectId: string,
  topicId: string,
): Promise<boolean> {
  const ofProject = and(eq(topics.projectId, projectId), eq(topics.id, topicId));
  return (await executor.$count(topics, ofProject)) > 0;
}

/**
 * How many people would get a campaign for this segment, list or everybody now, and how many of those
 * chosen would not, by reason. Throws NOT_FOUND;
 * VALIDATION_ERROR when counting takes too long.
 */
export async function estimateAudience(ctx: Context, input: AudienceInput): Promise<Audience> {
  requireRole(ctx, "viewer");
  if (input.segmentId && input.listId) throw invalid("listId", "cannot be combined with segmentId");
  let filter: SegmentFilter | null = null;
  let listId: string | null = null;
  if (input.segmentId) {
    const segmentId = decodeId("segment", input.segmentId);
    filter = segmentId ? await findFilter(ctx.db, ctx.projectId, segmentId) : null;
    if (!filter) throw noSuch("segmentId", "segment");
  }
  if (input.listId) {
    listId = decodeId("list", input.listId);
    if (!listId || !(await hasList(ctx.db, ctx.projectId, listId))) throw noSuch("listId", "list");
  }
  let topicId: string | null = null;
  if (input.topicId) {
    topicId = decodeId("topic", input.topicId);
    if (!topicId || !(await hasTopic(ctx.db, ctx.projectId, topicId))) {
      throw noSuch("topicId", "topic");
    }
  }
  const choice = { filter, listId, topicId };
  try {
    return await slowRead(ctx, longestCountSeconds, async (tx) => {
      const once = filter !== null && asksAboutMail(filter);
      const chosen =
        filter || listId ? { condition: choiceCondition(ctx.projectId, choice), once } : null;
      const counts = await countByState(tx, ctx.projectId, chosen);
      const { reachable, total, excluded } = counts;
      const keptOut = await countKeptOut(tx, ctx.projectId, choice);
      const count = reachable - keptOut.left_topic - keptOut.less_often;
      return { count, total, excluded: { ...excluded, ...keptOut } };
    });
  } catch (error) {
    if (!tookTooLong(error)) throw error;
    const field = input.segmentId ? "segmentId" : "listId";
    throw invalid(field, `takes longer than ${longestCountSeconds} seconds to count`);
  }
}
