import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Executor, Transaction } from "@/db/client";
import { contacts, lists, mergedContacts, subscribers, topicDepartures, topics } from "@/db/schema";
import { findPerson } from "@/lib/domain/contact-states/merged";
import { reasonFor } from "@/lib/domain/contact-states/suppressed";
import { findContactRow } from "@/lib/domain/contacts/contacts";
import type { Context } from "@/lib/ground/context";
import { invalid, isAppError, noSuch } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import type { Side } from "./plan";
import type { MergeInput } from "./schema";

/** The contact that stays and the other (uuids); `other` is null when it has been merged into the first already. */
interface Pair {
  kept: string;
  other: string | null;
}

/** Whether the id or address is that of somebody who was merged into the contact (uuid). */
async function isMergedInto(executor: Executor, kept: string, other: string): Promise<boolean> {
  const uuid = decodeId("contact", other);
  if (uuid) return (await findPerson(executor, uuid))?.id === kept;
  const { keptId, email, formerEmail } = mergedContacts;
  const isTheirs = sql`lower(${other}::text) in (lower(${email}), lower(${formerEmail}))`;
  return (await executor.$count(mergedContacts, and(eq(keptId, kept), isTheirs))) > 0;
}

/** Throws NOT_FOUND for either, and VALIDATION_ERROR when they are the same. */
export async function findPair(
  executor: Executor,
  ctx: Context,
  id: string,
  { other }: MergeInput,
): Promise<Pair> {
  const kept = await findContactRow(executor, ctx, id);
  try {
    const found = await findContactRow(executor, ctx, other);
    if (found.id === kept.id) throw invalid("other", "is this contact itself");
    return { kept: kept.id, other: found.id };
  } catch (error) {
    const isGone = isAppError(error) && error.code === "NOT_FOUND";
    if (!isGone) throw error;
    if (!(await isMergedInto(executor, kept.id, other))) throw noSuch("other", "contact");
    return { kept: kept.id, other: null };
  }
}

/** Both contacts, locked in the order in which every statement locks contacts. */
export async function lockPair(tx: Transaction, ids: readonly string[]): Promise<boolean> {
  const rows = await tx.execute(sql`
    select ${contacts.id} from ${contacts}
    where ${contacts.id} = any(${sql.param(ids)}::uuid[])
    order by ${contacts.projectId}, lower(${contacts.email}) for update`);
  return rows.length === ids.length;
}

/** Contacts that may have been merged into one: what is told of it is read under the id of each. */
export const mostMerged = 50;

/** Throws VALIDATION_ERROR when the contacts (uuids) that would be one were too many. */
export async function refuseTooMany(executor: Executor, ids: readonly string[]): Promise<void> {
  const merged = await executor.$count(mergedContacts, inArray(mergedContacts.keptId, [...ids]));
  if (merged < mostMerged) return;
  throw invalid("other", `cannot be merged: more than ${mostMerged} others would be one with it`);
}

/** What a merge of contacts (uuids) is decided by, in their order. */
export async function readSides(executor: Executor, ids: readonly [string, string]) {
  const both = [...ids];
  const people = await executor
    .select({
      contact: contacts,
      suppressed: sql<Side["suppressed"]>`${reasonFor(contacts.projectId, contacts.email)}`,
    })
    .from(contacts)
    .where(inArray(contacts.id, both));
  const members = await executor
    .select({ member: subscribers, list: lists.name })
    .from(subscribers)
    .innerJoin(lists, eq(lists.id, subscribers.listId))
    .where(inArray(subscribers.contactId, both))
    .orderBy(asc(lists.name), asc(lists.id));
  const left = await executor
    .select({ contactId: topicDepartures.contactId, id: topics.id, name: topics.name })
    .from(topicDepartures)
    .innerJoin(topics, eq(topics.id, topicDepartures.topicId))
    .where(inArray(topicDepartures.contactId, both))
    .orderBy(asc(topics.name));
  const sideOf = (id: string): Side | null => {
    const person = people.find(({ contact }) => contact.id === id);
    if (!person) return null;
    const { contact, suppressed } = person;
    return {
      ...contact,
      suppressed,
      members: members
        .filter(({ member }) => member.contactId === id)
        .map(({ member: { id: memberId, listId, status, fields }, list }) => ({
          ...{ id: memberId, listId, list, status, fields },
        })),
      topicsLeft: left
        .filter(({ contactId }) => contactId === id)
        .map((topic) => ({ id: topic.id, name: topic.name })),
    };
  };
  return [sideOf(ids[0]), sideOf(ids[1])] as const;
}
