import { and, eq, ne, or, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { contacts, topicDepartures, topics } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { sayWhoChanges } from "@/lib/domain/contacts/changing";
import { recordConsentChange, type ChangedBy } from "@/lib/domain/contacts/consent-changes";
import { emitContactEvents } from "@/lib/ground/events/emit";
import { decodeId } from "@/lib/ground/ids/ids";
import type { LinkHolder } from "./link-holder";

/*
 * What a person chooses besides being subscribed: topics, a break, how often. The caller has locked the contact.
 * Each resolves to false when nothing changed.
 */

type Change = Omit<Parameters<typeof recordConsentChange>[1], "projectId" | "contactId" | "listId">;

/** Whose choice it is (uuids). */
type Person = Pick<LinkHolder, "projectId" | "contactId">;

async function record(
  tx: Transaction,
  { projectId, contactId }: Person,
  change: Change,
  by: ChangedBy,
): Promise<true> {
  await recordConsentChange(tx, { projectId, contactId, listId: null, ...change }, by);
  await emitContactEvents(tx, projectId, [{ type: "contact.updated", contactId }]);
  return true;
}

/** The project's topic, locked against deletion; null when there is none. */
async function lockTopic(tx: Transaction, projectId: string, id: string): Promise<string | null> {
  const uuid = decodeId("topic", id);
  if (!uuid) return null;
  const [topic] = await tx
    .select({ id: topics.id })
    .from(topics)
    .where(and(eq(topics.projectId, projectId), eq(topics.id, uuid)))
    .for("key share");
  return topic?.id ?? null;
}

export async function leaveTopic(
  tx: Transaction,
  holder: Person,
  id: string,
  by: ChangedBy,
): Promise<boolean> {
  const { projectId, contactId } = holder;
  const topicId = await lockTopic(tx, projectId, id);
  if (topicId === null) return false;
  const left = await tx
    .insert(topicDepartures)
    .values({ topicId, contactId, projectId })
    .onConflictDoNothing()
    .returning({ topicId: topicDepartures.topicId });
  if (left.length === 0) return false;
  const change = { kind: "topic", before: "subscribed", after: "unsubscribed" } as const;
  return record(tx, holder, { topicId, ...change }, by);
}

export async function joinTopic(
  tx: Transaction,
  holder: Person,
  id: string,
  by: ChangedBy,
): Promise<boolean> {
  const topicId = await lockTopic(tx, holder.projectId, id);
  if (topicId === null) return false;
  const back = await tx
    .delete(topicDepartures)
    .where(
      and(eq(topicDepartures.topicId, topicId), eq(topicDepartures.contactId, holder.contactId)),
    )
    .returning({ topicId: topicDepartures.topicId });
  if (back.length === 0) return false;
  const change = { kind: "topic", before: "unsubscribed", after: "subscribed" } as const;
  return record(tx, holder, { topicId, ...change }, by);
}

const isPausedNow = sql<boolean>`coalesce(${contacts.pausedUntil} > app_now(), false)`;

/** From now on for a number of days, or until a time (ISO 8601); replaces a break that is still running. */
export async function pause(
  tx: Transaction,
  holder: LinkHolder,
  wanted: { days: number } | { until: string },
  by: ChangedBy,
): Promise<boolean> {
  const ofContact = eq(contacts.id, holder.contactId);
  const end =
    "until" in wanted
      ? new Date(wanted.until)
      : sql`app_now() + make_interval(days => ${wanted.days})`;
  const [before] = await tx.select({ paused: isPausedNow }).from(contacts).where(ofContact);
  const [row] = await tx
    .update(contacts)
    .set({ pausedUntil: end, updatedAt: now })
    .where(ofContact)
    .returning({ until: contacts.pausedUntil });
  if (!row?.until) return false;
  const change = { kind: "pause", before: before?.paused ? "paused" : "active" } as const;
  return record(tx, holder, { ...change, after: "paused", until: row.until }, by);
}

export async function resume(tx: Transaction, holder: LinkHolder, by: ChangedBy): Promise<boolean> {
  const ended = await tx
    .update(contacts)
    .set({ pausedUntil: null, updatedAt: now })
    .where(and(eq(contacts.id, holder.contactId), isPausedNow))
    .returning({ id: contacts.id });
  if (ended.length === 0) return false;
  return record(tx, holder, { kind: "pause", before: "paused", after: "active" }, by);
}

export async function setFrequency(
  tx: Transaction,
  holder: LinkHolder,
  frequency: "weekly" | "normal",
  by: ChangedBy,
): Promise<boolean> {
  const weekly = frequency === "weekly";
  const changed = await tx
    .update(contacts)
    .set({ weekly, updatedAt: now })
    .where(and(eq(contacts.id, holder.contactId), ne(contacts.weekly, weekly)))
    .returning({ id: contacts.id });
  if (changed.length === 0) return false;
  const before = weekly ? "normal" : "weekly";
  return record(tx, holder, { kind: "frequency", before, after: frequency }, by);
}

export async function setName(
  tx: Transaction,
  holder: LinkHolder,
  { firstName, lastName }: { firstName: string; lastName: string },
  by: ChangedBy,
): Promise<boolean> {
  await sayWhoChanges(tx, by);
  const changed = await tx
    .update(contacts)
    .set({ firstName, lastName, updatedAt: now })
    .where(
      and(
        eq(contacts.id, holder.contactId),
        or(ne(contacts.firstName, firstName), ne(contacts.lastName, lastName)),
      ),
    )
    .returning({ id: contacts.id });
  if (changed.length === 0) return false;
  return record(tx, holder, { kind: "name", before: null, after: "changed" }, by);
}
