import { and, eq, ne, sql } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import type { SubscriberStatus } from "@/db/enums";
import { retryConflicts } from "@/db/errors";
import { assignments, insertSelected } from "@/db/names";
import { contacts, emailEvents, emails, subscribers } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { addFigures } from "@/lib/ground/counters/counters";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { moveMembership, type Membership } from "@/lib/domain/lists/membership";
import { emitContactEvents } from "@/lib/ground/events/emit";
import { findRecipient, type Recipient } from "./link-holder";
import type { PreferenceChange } from "./schema";

/** How a person left: by the button of the mail program (RFC 8058) or by our page. */
type LeftVia = "one-click" | "page";

/** Every change takes the contact's lock first: of two at once the second sees the first one's end. */
async function lockContact(tx: Transaction, { projectId, contactId }: Recipient): Promise<boolean> {
  const [row] = await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.projectId, projectId), eq(contacts.id, contactId)))
    .for("update");
  return row !== undefined;
}

async function lockMembership(
  tx: Transaction,
  { projectId, contactId }: Recipient,
  listId: string,
): Promise<Membership | null> {
  const [row] = await tx
    .select({
      id: subscribers.id,
      project_id: subscribers.projectId,
      list_id: subscribers.listId,
      contact_id: subscribers.contactId,
      status: subscribers.status,
    })
    .from(subscribers)
    .where(
      and(
        eq(subscribers.projectId, projectId),
        eq(subscribers.listId, listId),
        eq(subscribers.contactId, contactId),
      ),
    )
    .for("update");
  return row ?? null;
}

const leavable: readonly SubscriberStatus[] = ["subscribed", "unconfirmed"];
const joinable: readonly SubscriberStatus[] = ["unsubscribed", "unconfirmed"];
const options = { testMode: false };

/** Sets the person's word on everything the project sends; false when it stood so. */
async function setConsent(
  tx: Transaction,
  { projectId, contactId }: Recipient,
  consent: "subscribed" | "unsubscribed",
): Promise<boolean> {
  const [changed] = await tx
    .update(contacts)
    .set({ consent, updatedAt: now })
    .where(and(eq(contacts.id, contactId), ne(contacts.consent, consent)))
    .returning({ id: contacts.id });
  if (!changed) return false;
  await emitContactEvents(tx, projectId, [{ type: `contact.${consent}`, contactId }]);
  return true;
}

/** Writes on the email that it made its reader leave: its time, its event and the figures, once per email. */
async function recordLeaving(
  tx: Transaction,
  emailId: string,
  data: { via: LeftVia; list: string | null },
): Promise<void> {
  await tx.execute(sql`
    with parted as (
      update ${emails} set ${assignments(emails, { unsubscribedAt: now })}
      where ${emails.id} = ${emailId} and ${emails.unsubscribedAt} is null
      returning ${emails.id}, ${emails.projectId}, ${emails.campaignId}, 1 as unsubscribed
    ), noted as (
      ${insertSelected(emailEvents, {
        projectId: sql`project_id`,
        emailId: sql`id`,
        name: sql`'unsubscribed'`,
        data: sql`${JSON.stringify(data)}::jsonb`,
      })} from parted
    )
    ${addFigures("parted", ["unsubscribed"])}`);
}

/** From one list (uuid), or from everything. False when nothing changed. */
async function leave(
  tx: Transaction,
  recipient: Recipient,
  listId: string | null,
  via: LeftVia,
): Promise<boolean> {
  const membership = listId === null ? null : await lockMembership(tx, recipient, listId);
  // Whoever is not on the list any more still asked to be left alone: then it counts for everything.
  const changed = membership
    ? leavable.includes(membership.status) &&
      (await moveMembership(tx, membership, "unsubscribed", options))
    : await setConsent(tx, recipient, "unsubscribed");
  if (changed && recipient.emailId !== null) {
    const list = membership ? encodeId("list", membership.list_id) : null;
    await recordLeaving(tx, recipient.emailId, { via, list });
  }
  return changed;
}

async function change(
  tx: Transaction,
  recipient: Recipient,
  wanted: PreferenceChange,
): Promise<boolean> {
  if (wanted.action === "leave-all") return leave(tx, recipient, null, "page");
  // The person's own word: the one thing that lifts an unsubscription from everything.
  if (wanted.action === "return") return setConsent(tx, recipient, "subscribed");
  const listId = decodeId("list", wanted.list);
  const membership = listId && (await lockMembership(tx, recipient, listId));
  if (!membership) return false;
  if (wanted.action === "leave") return leave(tx, recipient, membership.list_id, "page");
  return (
    joinable.includes(membership.status) && moveMembership(tx, membership, "subscribed", options)
  );
}

type Outcome = "changed" | "unchanged" | "deleted";

async function withRecipient(
  db: Database,
  token: string,
  work: (tx: Transaction, recipient: Recipient) => Promise<boolean>,
): Promise<Outcome | null> {
  return retryConflicts(() =>
    db.transaction(async (tx) => {
      const recipient = await findRecipient(tx, token);
      if (recipient === null || recipient === "deleted") return recipient;
      if (!(await lockContact(tx, recipient))) return "deleted";
      return (await work(tx, recipient)) ? "changed" : "unchanged";
    }),
  );
}

/**
 * Does what the holder of a link asks for, once: a repetition is `unchanged`. In one transaction; mail that
 * waits is checked against it when it is claimed. null: the token is not ours.
 */
export function changePreferences(
  db: Database,
  token: string,
  wanted: PreferenceChange,
): Promise<Outcome | null> {
  return withRecipient(db, token, (tx, recipient) => change(tx, recipient, wanted));
}

/** One-click: leaves the list the mail was sent to, and everything when it was sent to none. */
export function unsubscribeByToken(db: Database, token: string): Promise<Outcome | null> {
  return withRecipient(db, token, (tx, recipient) =>
    leave(tx, recipient, recipient.listId, "one-click"),
  );
}
