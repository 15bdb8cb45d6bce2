import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import { contacts, personRequests, subscribers, topicDepartures } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { hasObjected } from "@/lib/domain/contacts/blocked";
import { sayWhoChanges } from "@/lib/domain/contacts/changing";
import { recordConsentChange, type ChangedBy } from "@/lib/domain/contacts/consent-changes";
import { rememberHash } from "@/lib/domain/contacts/forgotten";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { emitContactEvents } from "@/lib/ground/events/emit";
import { wouldBeBlocked } from "./ask";
import { findOther, type RequestRow } from "./read";

/*
 * A change of address moves a person, but never lifts an objection. The contact keeps its consent, lists and
 * topics; the old address is remembered as a deleted one is, so that an import does not bring it back. If the new
 * address already belongs to a contact, both stay: the other one joins the lists of the old one that it was never
 * on, and the old one gets no more mail.
 */

export interface Moved {
  previousEmail: string;
}

async function unsubscribe(
  tx: Transaction,
  { id: contactId, projectId, consent }: RequestRow["contact"],
  by: ChangedBy,
): Promise<void> {
  if (consent === "unsubscribed") return;
  await tx
    .update(contacts)
    .set({ consent: "unsubscribed", updatedAt: now })
    .where(eq(contacts.id, contactId));
  const change = { before: consent, after: "unsubscribed", listId: null } as const;
  await recordConsentChange(tx, { projectId, contactId, ...change }, by);
  await emitContactEvents(tx, projectId, [{ type: "contact.unsubscribed", contactId }]);
}

async function move(
  tx: Transaction,
  { contact }: RequestRow,
  email: string,
  by: ChangedBy,
): Promise<void> {
  const { id: contactId, projectId } = contact;
  await rememberHash(tx, projectId, { ids: [contactId], email: contact.email });
  await sayWhoChanges(tx, by);
  await tx.update(contacts).set({ email, updatedAt: now }).where(eq(contacts.id, contactId));
  const change = { kind: "address", before: null, after: "changed", listId: null } as const;
  await recordConsentChange(tx, { projectId, contactId, ...change }, by);
  await emitContactEvents(tx, projectId, [{ type: "contact.updated", contactId }]);
  if (await hasObjected(tx, { projectId, email })) await unsubscribe(tx, contact, by);
}

/**
 * Adds the other contact to this one's lists that it was never on, or has yet to confirm, unless it has unsubscribed from
 * everything.
 */
async function joinLists(
  tx: Transaction,
  { contact }: RequestRow,
  otherId: string,
  by: ChangedBy,
): Promise<void> {
  const { id, projectId } = contact;
  const [other] = await tx
    .select({ consent: contacts.consent })
    .from(contacts)
    .where(eq(contacts.id, otherId))
    .for("update");
  const listed = await tx
    .select({ listId: subscribers.listId, fields: subscribers.fields })
    .from(subscribers)
    .where(and(eq(subscribers.contactId, id), eq(subscribers.status, "subscribed")));
  const joined =
    listed.length === 0
      ? []
      : await tx
          .insert(subscribers)
          .values(
            listed.map((list) => ({
              ...{ id: newId(projectId), projectId, contactId: otherId, ...list },
              ...{ status: "subscribed" as const, source: "added" as const },
            })),
          )
          // The button in that mailbox confirms it as well as the list's own would.
          .onConflictDoUpdate({
            target: [subscribers.listId, subscribers.contactId],
            set: { status: "subscribed", updatedAt: now },
            setWhere: eq(subscribers.status, "unconfirmed"),
          })
          .returning({ listId: subscribers.listId, isNew: sql<boolean>`xmax = 0` });
  for (const { listId, isNew } of joined) {
    const before = isNew ? null : "unconfirmed";
    const change = { before, after: "subscribed", listId } as const;
    await recordConsentChange(tx, { projectId, contactId: otherId, ...change }, by);
    await emitContactEvents(tx, projectId, [
      {
        type: "contact.subscribed",
        contactId: otherId,
        data: { listId: encodeId("list", listId) },
      },
    ]);
  }
  if (other?.consent === "never") {
    await tx
      .update(contacts)
      .set({ consent: "subscribed", updatedAt: now })
      .where(eq(contacts.id, otherId));
    const change = { before: "never", after: "subscribed", listId: null } as const;
    await recordConsentChange(tx, { projectId, contactId: otherId, ...change }, by);
    await emitContactEvents(tx, projectId, [{ type: "contact.subscribed", contactId: otherId }]);
  }
}

/** The longer break of the two holds for the other contact, and so does "once a week". */
async function carryRest(
  tx: Transaction,
  { contact: { projectId, pausedUntil: until, weekly } }: RequestRow,
  contactId: string,
  by: ChangedBy,
): Promise<void> {
  const ofOther = eq(contacts.id, contactId);
  const end = until?.toISOString() ?? null;
  const [other] = await tx
    .select({
      paused: sql<boolean>`coalesce(${contacts.pausedUntil} > app_now(), false)`,
      rests: sql<boolean>`coalesce(${end}::timestamptz > greatest(app_now(), ${contacts.pausedUntil}), false)`,
      weekly: contacts.weekly,
    })
    .from(contacts)
    .where(ofOther)
    .for("update");
  if (!other) return;
  const change = { projectId, contactId, listId: null };
  if (until && other.rests) {
    await tx.update(contacts).set({ pausedUntil: until, updatedAt: now }).where(ofOther);
    const before = other.paused ? "paused" : "active";
    const paused = { kind: "pause", before, after: "paused", until } as const;
    await recordConsentChange(tx, { ...change, ...paused }, by);
  }
  if (weekly && !other.weekly) {
    await tx.update(contacts).set({ weekly, updatedAt: now }).where(ofOther);
    const less = { kind: "frequency", before: "normal", after: "weekly" } as const;
    await recordConsentChange(tx, { ...change, ...less }, by);
  }
}

async function keepApart(
  tx: Transaction,
  row: RequestRow,
  otherId: string,
  by: ChangedBy,
): Promise<void> {
  const { contact } = row;
  if (contact.consent === "subscribed") await joinLists(tx, row, otherId, by);
  await tx
    .insert(topicDepartures)
    .select(
      tx
        .select({
          topicId: topicDepartures.topicId,
          contactId: sql`${otherId}::uuid`.as("contact_id"),
          projectId: topicDepartures.projectId,
          createdAt: sql`app_now()`.as("created_at"),
        })
        .from(topicDepartures)
        .where(eq(topicDepartures.contactId, contact.id)),
    )
    .onConflictDoNothing();
  await carryRest(tx, row, otherId, by);
  await unsubscribe(tx, contact, by);
}

/** Mails the new address from now on. null when nothing may be sent to it. */
export async function changeAddress(
  tx: Transaction,
  row: RequestRow,
  by: ChangedBy,
): Promise<Moved | null> {
  const { request, contact } = row;
  const { email } = request;
  if (email === null || (await wouldBeBlocked(tx, contact.projectId, email))) return null;
  const otherId = await findOther(tx, contact, email);
  if (otherId === null) await move(tx, row, email, by);
  else await keepApart(tx, row, otherId, by);
  await tx
    .update(personRequests)
    .set({ doneAt: now, previousEmail: contact.email, keptApart: otherId !== null })
    .where(eq(personRequests.id, request.id));
  return { previousEmail: contact.email };
}
