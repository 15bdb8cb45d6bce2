import { and, asc, desc, eq, gt, lt } from "drizzle-orm";
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

/** Every contact as it is stored, newest first. */
export async function* contactPages(ctx: Context) {
  for (let last: string | null = null; ;) {
    const rows: (typeof contacts.$inferSelect)[] = await exportRead(ctx, (tx) =>
      tx
        .select()
        .from(contacts)
        .where(
          and(
            eq(contacts.projectId, ctx.projectId),
            last === null ? undefined : lt(contacts.id, last),
          ),
        )
        .orderBy(desc(contacts.id))
        .limit(rowsAtOnce),
    );
    yield rows.map(({ id, projectId: _, pausedUntil, createdAt, updatedAt, ...contact }) => ({
      id: encodeId("contact", id),
      ...contact,
      pausedUntil: isoTime(pausedUntil),
      createdAt: isoTime(createdAt),
      updatedAt: isoTime(updatedAt),
    }));
    last = rows.at(-1)?.id ?? null;
    if (rows.length < rowsAtOnce) return;
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
  for (let last: string | null = null; ;) {
    const rows: Awaited<ReturnType<typeof read>> = await read(last);
    yield rows.map(({ id, contactId, createdAt, updatedAt, ...member }) => ({
      id: encodeId("subscriber", id),
      listId: encodeId("list", listId),
      contactId: encodeId("contact", contactId),
      ...member,
      createdAt: isoTime(createdAt),
      updatedAt: isoTime(updatedAt),
    }));
    last = rows.at(-1)?.id ?? null;
    if (rows.length < rowsAtOnce) return;
  }

  function read(after: string | null) {
    const { id, contactId, source, ipAddress, fields, createdAt, updatedAt } = subscribers;
    return exportRead(ctx, (tx) =>
      tx
        .select({
          ...{ id, contactId, status: subscribers.status, source, ipAddress, fields },
          ...{ createdAt, updatedAt },
        })
        .from(subscribers)
        .where(
          and(
            eq(subscribers.listId, listId),
            eq(subscribers.status, status),
            after === null ? undefined : gt(id, after),
          ),
        )
        .orderBy(asc(id))
        .limit(rowsAtOnce),
    );
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
    for (let last: string | null = null; ;) {
      const rows: { contactId: string; createdAt: Date }[] = await exportRead(ctx, (tx) =>
        tx
          .select({ contactId, createdAt })
          .from(topicDepartures)
          .where(and(eq(topicId, topic.id), last === null ? undefined : gt(contactId, last)))
          .orderBy(asc(contactId))
          .limit(rowsAtOnce),
      );
      yield rows.map((row) => ({
        topicId: encodeId("topic", topic.id),
        contactId: encodeId("contact", row.contactId),
        leftAt: isoTime(row.createdAt),
      }));
      last = rows.at(-1)?.contactId ?? null;
      if (rows.length < rowsAtOnce) break;
    }
  }
}
