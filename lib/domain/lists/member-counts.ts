import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Executor } from "@/db/client";
import { subscriberStatuses, type SubscriberStatus } from "@/db/enums";
import { listFigures, subscribers } from "@/db/schema";

/** The slot of those who were there before the trigger counted: a list without it is counted anew. */
export const countedBefore = -1;

interface Counted extends Record<string, unknown> {
  list_id: string;
  status: SubscriberStatus;
  members: number;
}

async function keptCounts(executor: Executor, listIds: readonly string[]): Promise<Counted[]> {
  const rows = await executor.execute<Counted & { whole: boolean }>(sql`
    select ${listFigures.listId}, ${listFigures.status}, sum(${listFigures.members})::int as members,
      bool_or(${listFigures.slot} = ${countedBefore}::smallint) as whole
    from ${listFigures} where ${listFigures.listId} = any(${sql.param(listIds)}::uuid[])
    group by 1, 2`);
  const whole = new Set(rows.flatMap((row) => (row.whole ? [row.list_id] : [])));
  return rows.filter((row) => whole.has(row.list_id));
}

async function countAnew(executor: Executor, listIds: readonly string[]): Promise<Counted[]> {
  if (listIds.length === 0) return [];
  return executor.execute<Counted>(sql`
    select ${subscribers.listId}, ${subscribers.status}, count(*)::int as members
    from ${subscribers} where ${subscribers.listId} = any(${sql.param(listIds)}::uuid[])
    group by 1, 2`);
}

const f = alias(listFigures, "f");
const whole = alias(listFigures, "whole");
const s = alias(subscribers, "s");

/** SQL: how many are subscribed to a list, by which lists are sorted; a bigint. */
export const subscribedTo = (listId: SQL) => sql`case
  when exists (select from ${listFigures} ${whole} where ${whole.listId} = ${listId}
    and ${whole.slot} = ${sql.raw(String(countedBefore))})
  then (select coalesce(sum(${f.members}), 0)::bigint from ${listFigures} ${f}
    where ${f.listId} = ${listId} and ${f.status} = 'subscribed')
  else (select count(*) from ${subscribers} ${s} where ${s.listId} = ${listId}
    and ${s.status} = 'subscribed') end`;

/** How many members lists (uuids) have by status. */
export async function countMembers(
  executor: Executor,
  listIds: readonly string[],
): Promise<(listId: string) => Record<SubscriberStatus, number>> {
  const kept = await keptCounts(executor, listIds);
  const known = new Set(kept.map((row) => row.list_id));
  const anew = await countAnew(
    executor,
    listIds.filter((id) => !known.has(id)),
  );
  const counted = [...kept, ...anew];
  const countOf = (listId: string, status: SubscriberStatus) =>
    counted.find((row) => row.list_id === listId && row.status === status)?.members ?? 0;
  return (listId) =>
    Object.fromEntries(
      subscriberStatuses.map((status) => [status, countOf(listId, status)]),
    ) as Record<SubscriberStatus, number>;
}
