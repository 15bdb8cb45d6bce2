import { and, asc, desc, eq, gt, lt } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { subscriberStatuses } from "@/db/enums";
import { contacts, lists, subscribers, topicDepartures, topics } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { isoTime } from "@/lib/ground/iso-time";
import { exportRead } from "@/lib/ground/slow-reads";

/*
 * What a project may have a million of, read by its key a stretch at a time. No connection is held while whoever
 * downloads takes what was read.
 */

const rowsAtOnce = 2_000;

/** All that `read` gives, a stretch behind the last one's key at a time. */
async function* stretches<Row>(
  ctx: Context,
  read: (tx: Executor, after: string | null) => PromiseLike<Row[]>,
  keyOf: (row: Row) => string,
) {
  for (let last: string | null = null; ;) {
    const after = last;
    const rows: Row[] = await exportRead(ctx, async (tx) => read(tx, after));
    yield rows;
    const end = rows.at(-1);
    if (end === undefined || rows.length < rowsAtOnce) return;
    last = keyOf(end);
  }
}

/** Every contact as it is stored, newest first. */
export async function* contactPages(ctx: Context) {
  const all = stretches(
    ctx,
    (tx, after) =>
      tx
        .select()
        .from(contacts)
        .where(
          and(
            eq(contacts.projectId, ctx.projectId),
            after === null ? undefined : lt(contacts.id, after),
          ),
        )
        .orderBy(desc(contacts.id))
        .limit(rowsAtOnce),
    ({ id }) => id,
  );
  for await (const rows of all) {
    yield rows.map(({ id, projectId: _, pausedUntil, createdAt, updatedAt, ...contact }) => ({
      id: encodeId("contact", id),
      ...contact,
      pausedUntil: isoTime(pausedUntil),
      createdAt: isoTime(createdAt),
      updatedAt: isoTime(updatedAt),
    }));
  }
}

/** The members of each list, by status. */
export async function* memberPages(ctx: Context) {
  const ofProject = await ctx.db
    .select({ id: lists.id })
    .from(lists)
    .where(eq(lists.projectId, ctx.projectId))
    .orderBy(asc(lists.id));
  for (const list of ofProject) {
    for (const status of subscriberStatuses) yield* membersOf(ctx, list.id, status);
  }
}

async function* membersOf(
  ctx: Context,
  listId: string,
  status: (typeof subscriberStatuses)[number],
) {
  const { source, ipAddress, fields } = subscribers;
  const all = stretches(
    ctx,
    (tx, after) =>
      tx
        .select({
          ...{ id: subscribers.id, contactId: subscribers.contactId, status: subscribers.status },
          ...{ source, ipAddress, fields },
          ...{ createdAt: subscribers.createdAt, updatedAt: subscribers.updatedAt },
        })
        .from(subscribers)
        .where(
          and(
            eq(subscribers.listId, listId),
            eq(subscribers.status, status),
            after === null ? undefined : gt(subscribers.id, after),
          ),
        )
        .orderBy(asc(subscribers.id))
        .limit(rowsAtOnce),
    (member) => member.id,
  );
  for await (const rows of all) {
    yield rows.map(({ id, contactId, createdAt, updatedAt, ...member }) => ({
      id: encodeId("subscriber", id),
      listId: encodeId("list", listId),
      contactId: encodeId("contact", contactId),
      ...member,
      createdAt: isoTime(createdAt),
      updatedAt: isoTime(updatedAt),
    }));
  }
}

/** Who has left which topic. */
export async function* departurePages(ctx: Context) {
  const ofProject = await ctx.db
    .select({ id: topics.id })
    .from(topics)
    .where(eq(topics.projectId, ctx.projectId))
    .orderBy(asc(topics.id));
  const { topicId, contactId, createdAt } = topicDepartures;
  for (const topic of ofProject) {
    const all = stretches(
      ctx,
      (tx, after) =>
        tx
          .select({ contactId, createdAt })
          .from(topicDepartures)
          .where(and(eq(topicId, topic.id), after === null ? undefined : gt(contactId, after)))
          .orderBy(asc(contactId))
          .limit(rowsAtOnce),
      (departure) => departure.contactId,
    );
    for await (const rows of all) {
      yield rows.map((row) => ({
        topicId: encodeId("topic", topic.id),
        contactId: encodeId("contact", row.contactId),
        leftAt: isoTime(row.createdAt),
      }));
    }
  }
}
