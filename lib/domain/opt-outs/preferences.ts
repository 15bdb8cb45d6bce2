import { and, eq, sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import type { PersonRequestKind } from "@/db/enums";
import {
  contacts,
  lists,
  personRequests,
  projects,
  subscribers,
  topicDepartures,
  topics,
} from "@/db/schema";
import { byId } from "@/lib/ground/by-id";
import { languageIn } from "@/lib/ground/texts/texts";
import { brandColumns } from "./brand";
import { encodeId } from "@/lib/ground/ids/ids";
import { findLinkHolder } from "./link-holder";
import { blockedReason } from "@/lib/domain/contacts/blocked";
import type { Preferences } from "./schema";

/** A change of address that can still be taken back. */
export const undoDays = 30;
export const isRecentMove = sql<boolean>`${personRequests.undoneAt} is null
  and ${personRequests.doneAt} > app_now() - make_interval(days => ${undoDays})`;

/** More lists than anybody would choose from on one page. */
const mostLists = 200;

/**
 * What a link's holder gets from the project; `deleted` when that is nothing any more, null when the token is not
 * ours.
 */
export async function getPreferences(
  db: Database,
  token: string,
): Promise<Preferences | "deleted" | null> {
  const holder = await findLinkHolder(db, token);
  if (holder === null || holder === "deleted") return holder;
  const { projectId, contactId, listId, topicId } = holder;
  const [[person], memberships, ofTopics, [requests]] = await Promise.all([
    db
      .select({
        brand: brandColumns,
        data: contacts.data,
        email: contacts.email,
        firstName: contacts.firstName,
        lastName: contacts.lastName,
        consent: contacts.consent,
        blocked: blockedReason,
        weekly: contacts.weekly,
        pausedUntil:
          sql`case when ${contacts.pausedUntil} > app_now() then ${contacts.pausedUntil} end`.mapWith(
            contacts.pausedUntil,
          ),
      })
      .from(contacts)
      .innerJoin(projects, eq(projects.id, contacts.projectId))
      .where(byId(contacts, projectId, contactId)),
    db
      .select({ id: lists.id, name: lists.name, status: subscribers.status })
      .from(subscribers)
      .innerJoin(lists, eq(lists.id, subscribers.listId))
      .where(and(eq(subscribers.contactId, contactId), eq(subscribers.projectId, projectId)))
      .orderBy(
        sql`${lists.id} is distinct from ${listId}::uuid`,
        sql`lower(${lists.name})`,
        lists.id,
      )
      .limit(mostLists),
    db
      .select({
        id: topics.id,
        name: topics.name,
        description: topics.description,
        left: sql<boolean>`${topicDepartures.contactId} is not null`,
      })
      .from(topics)
      .leftJoin(
        topicDepartures,
        and(eq(topicDepartures.topicId, topics.id), eq(topicDepartures.contactId, contactId)),
      )
      .where(eq(topics.projectId, projectId))
      .orderBy(
        sql`${topics.id} is distinct from ${topicId}::uuid`,
        sql`lower(${topics.name})`,
        topics.id,
      ),
    db
      .select({
        asked: sql<PersonRequestKind[]>`coalesce(array_agg(distinct ${personRequests.kind}) filter (
          where ${personRequests.createdAt} > app_now() - interval '10 minutes'), '{}')`,
        moved: sql<boolean>`coalesce(bool_or(${isRecentMove}), false)`,
      })
      .from(personRequests)
      .where(eq(personRequests.contactId, contactId)),
  ]);
  if (!person) return "deleted";
  const { data, ...choices } = person;
  return {
    ...choices,
    asked: requests?.asked ?? [],
    moved: requests?.moved ?? false,
    person: languageIn(data),
    topics: ofTopics.map((topic) => ({ ...topic, id: encodeId("topic", topic.id) })),
    lists: memberships.map(({ id, name, status }) => ({
      id: encodeId("list", id),
      name,
      status: status === "bounced" || status === "complained" ? "stopped" : status,
      linked: id === listId,
    })),
  };
}
