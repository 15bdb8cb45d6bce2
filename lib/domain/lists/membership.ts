import { sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import type { SubscriberStatus } from "@/db/enums";
import { encodeId } from "@/lib/ground/ids/ids";
import { emitContactEvents } from "@/lib/ground/events/emit";
import { notifyUnsubscribe, sendWelcome, type MailOptions } from "./mails";

/** A membership (uuids) whose contact and row the caller has locked, the contact first. */
export interface Membership {
  id: string;
  project_id: string;
  list_id: string;
  contact_id: string;
  status: SubscriberStatus;
}

/** Joining lifts "never asked" to subscribed; who unsubscribed from everything stays so. */
async function liftConsent(tx: Transaction, contactId: string): Promise<void> {
  await tx.execute(sql`
    update contacts set consent = 'subscribed', updated_at = app_now()
    where id = ${contactId} and consent = 'never'`);
}

/** contact.subscribed and contact.unsubscribed of one list: the contact as it is, and the list's id. */
async function tell(
  tx: Transaction,
  { project_id: projectId, contact_id: contactId, list_id: listId }: Membership,
  type: "contact.subscribed" | "contact.unsubscribed",
): Promise<void> {
  await emitContactEvents(tx, projectId, [
    { type, contactId, data: { listId: encodeId("list", listId) } },
  ]);
}

/**
 * What follows from having become subscribed: consent where nobody had asked yet, the event, and for
 * somebody new the list's welcome.
 */
export async function welcomeMember(
  tx: Transaction,
  membership: Membership,
  options: MailOptions & { isNew: boolean },
): Promise<void> {
  await liftConsent(tx, membership.contact_id);
  await tell(tx, membership, "contact.subscribed");
  if (!options.isNew) return;
  // Nobody is greeted whom no issue would follow.
  const [list] = await tx.execute(sql`
    select 1 from lists l join contacts c on c.id = ${membership.contact_id}
    where l.id = ${membership.list_id} and l.send_welcome_email and c.consent = 'subscribed'`);
  if (list) await sendWelcome(tx, membership.id, options);
}

/** Moves a membership, with all that follows; false when it had the status already. */
export async function moveMembership(
  tx: Transaction,
  membership: Membership,
  status: "subscribed" | "unsubscribed",
  options: MailOptions,
): Promise<boolean> {
  if (membership.status === status) return false;
  await tx.execute(sql`
    update subscribers set status = ${status}, updated_at = app_now()
    where id = ${membership.id}`);
  if (status === "subscribed") {
    await welcomeMember(tx, membership, {
      ...options,
      isNew: membership.status === "unconfirmed",
    });
    return true;
  }
  await tell(tx, membership, "contact.unsubscribed");
  const [list] = await tx.execute(sql`
    select 1 from lists where id = ${membership.list_id} and unsubscribe_notification`);
  if (list && membership.status === "subscribed") {
    await notifyUnsubscribe(tx, membership.id, options);
  }
  return true;
}
