import { asc, count, desc, eq, sql } from "drizzle-orm";
import { contacts, lists, segments, subscribers } from "@/db/schema";
import { tookTooLong } from "@/db/time-limit";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { findContactRow } from "@/lib/domain/contacts/contacts";
import { compileFilter } from "@/lib/domain/segments/compile";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import { byId } from "@/lib/ground/by-id";
import { requireRole, type Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { slowRead } from "@/lib/ground/slow-reads";
import type { ContactMemberships } from "./schema";

const mostSegments = 200;
const longestSeconds = 5;

interface Named {
  id: string;
  name: string;
}

/** Those of the segments that the contact (uuid) is in: one statement for all; null when it takes too long. */
async function segmentsWith(
  ctx: Context,
  contactId: string,
  asked: readonly (Named & { filter: object })[],
): Promise<Named[] | null> {
  if (asked.length === 0) return [];
  const conditions = asked.map(({ filter }) =>
    compileFilter(filter as SegmentFilter, ctx.projectId, (id) => sql`${id} = ${contactId}`),
  );
  try {
    return await slowRead(ctx, longestSeconds, async (tx) => {
      const [row] = await tx.execute<{ holds: boolean[] }>(sql`
        select array[${sql.join(conditions, sql`, `)}]::boolean[] as holds from ${contacts} c
        where ${byId(c, ctx.projectId, contactId)}`);
      return asked.filter((_, index) => row?.holds[index]);
    });
  } catch (error) {
    if (!tookTooLong(error)) throw error;
    return null;
  }
}

/** The lists and segments that a contact (id or address) is in. Throws NOT_FOUND. Needs viewer. */
export async function getMemberships(ctx: Context, id: string): Promise<ContactMemberships> {
  requireRole(ctx, "viewer");
  const contact = await findContactRow(ctx.db, ctx, id);
  const ofProject = eq(segments.projectId, ctx.projectId);
  const [listed, newest, [total]] = await Promise.all([
    ctx.db
      .select({ id: lists.id, name: lists.name, status: subscribers.status })
      .from(subscribers)
      .innerJoin(lists, eq(lists.id, subscribers.listId))
      .where(eq(subscribers.contactId, contact.id))
      .orderBy(asc(lists.name), asc(lists.id)),
    ctx.db
      .select({ id: segments.id, name: segments.name, filter: segments.filter })
      .from(segments)
      .where(ofProject)
      .orderBy(desc(segments.id))
      .limit(mostSegments),
    ctx.db.select({ count: count() }).from(segments).where(ofProject),
  ]);
  const within = await segmentsWith(ctx, contact.id, newest);
  return {
    lists: listed.map((list) => ({ ...list, id: encodeId("list", list.id) })),
    segments:
      within &&
      within
        .map((segment) => ({ id: encodeId("segment", segment.id), name: segment.name }))
        .sort((one, other) => one.name.localeCompare(other.name)),
    segmentsLeftOut: Math.max(0, (total?.count ?? 0) - newest.length),
  };
}
