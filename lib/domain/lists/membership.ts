import { and, eq } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import type { SubscriberStatus } from "@/db/enums";
import { contacts, lists, subscribers } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { recordConsentChange, type ChangedBy } from "@/lib/domain/contacts/consent-changes";
import { encodeId } from "@/lib/ground/ids/ids";
import { emitContactEvents } from "@/lib/ground/events/emit";
import { notifyUnsubscribe, sendWelcome } from "./mails";
import type { MailOptions } from "./queue-mail";

/** A membership (uuids) whose contact and row the caller has locked, the contact first. */
export interface Membership {
  id: string;
  projectId: string;
  listId: string;
  contactId: string;
  status: SubscriberStatus;
}

/** Joining turns "never asked" into subscribed; somebody who unsubscribed from everything stays unsubscribed. */
export async function subscribeIfNeverAsked(
  tx: Transaction,
  { projectId, contactId }: Membership,
  by: ChangedBy,
): Promise<void> {
  const changed = await tx
    .update(contacts)
    .set({ consent: "subscribed", updatedAt: now })
    .where(and(eq(contacts.id, contactId), eq(contacts.consent, "never")))
    .returning({ id: contacts.id });
  if (changed.length === 0) return;
  const change = { before: "never", after: "subscribed", listId: null } as const;
  await recordConsentChange(tx, { projectId, contactId, ...change }, by);
}

/** How its mail goes out, and who changes it. */
export interface ChangeOptions extends MailOptions {
  by: ChangedBy;
}

/** contact.subscribed and contact.unsubscribed of one list: the contact as it is, and the list's id. */
async function emitMembershipEvent(
  tx: Transaction,
  { projectId, contactId, listId }: Membership,
  type: "contact.subscribed" | "contact.unsubscribed",
): Promise<void> {
  await emitContactEvents(tx, projectId, [
    { type, contactId, data: { listId: encodeId("list", listId) } },
  ]);
}

/**
 * The consequences of a new subscription: consent if nobody had asked yet, the event and, for somebody new, the
 * list's welcome mail.
 */
export async function welcomeMember(
  tx: Transaction,
  membership: Membership,
  options: ChangeOptions & { isNew: boolean },
): Promise<void> {
  await subscribeIfNeverAsked(tx, membership, options.by);
  await emitMembershipEvent(tx, membership, "contact.subscribed");
  if (!options.isNew) return;
  // Nobody is welcomed who would then get no campaigns.
  const [welcoming] = await tx
    .select({ id: lists.id })
    .from(lists)
    .innerJoin(contacts, eq(contacts.id, membership.contactId))
    .where(
      and(
        eq(lists.id, membership.listId),
        eq(lists.sendWelcomeEmail, true),
        eq(contacts.consent, "subscribed"),
      ),
    );
  if (welcoming) await sendWelcome(tx, membership.id, options);
}

/** Gives a membership another status, with all the consequences; false when it already had that status. */
export async function changeMembership(
  tx: Transaction,
  membership: Membership,
  status: "subscribed" | "unsubscribed",
  options: ChangeOptions,
): Promise<boolean> {
  if (membership.status === status) return false;
  await tx
    .update(subscribers)
    .set({ status, updatedAt: now })
    .where(eq(subscribers.id, membership.id));
  const { projectId, contactId, listId } = membership;
  const change = { before: membership.status, after: status };
  await recordConsentChange(tx, { projectId, contactId, listId, ...change }, options.by);
  if (status === "subscribed") {
    await welcomeMember(tx, membership, {
      ...options,
      isNew: membership.status === "unconfirmed",
    });
    return true;
  }
  await emitMembershipEvent(tx, membership, "contact.unsubscribed");
  const [notifying] = await tx
    .select({ id: lists.id })
    .from(lists)
    .where(and(eq(lists.id, membership.listId), eq(lists.unsubscribeNotification, true)));
  if (notifying && membership.status === "subscribed") {
    await notifyUnsubscribe(tx, membership.id, options);
  }
  return true;
}
