import { and, eq, ne, sql } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import type { SubscriberStatus } from "@/db/enums";
import { retryConflicts } from "@/db/errors";
import { assignments, insertSelected, newIdOf } from "@/db/names";
import { contacts, emailEvents, emails, subscribers } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { addFigures } from "@/lib/ground/counters/counters";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { hasAddress } from "@/lib/domain/contact-states/has-address";
import { isContactBlocked } from "@/lib/domain/contacts/blocked";
import { auditConsent } from "@/lib/domain/contacts/consent";
import {
  keepEvidence,
  recordConsentChange,
  type ChangedBy,
  type Evidence,
} from "@/lib/domain/contacts/consent-changes";
import { rememberObjection } from "@/lib/domain/contacts/forgotten";
import { changeMembership, type Membership } from "@/lib/domain/lists/membership";
import { emitContactEvents } from "@/lib/ground/events/emit";
import { joinTopic, leaveTopic, pause, resume, setFrequency, setName } from "./choices";
import { lockLinkHolder, type LinkHolder } from "./link-holder";
import type { PreferenceChange, Restoring } from "./schema";

/** How a person opted out: by the button of the mail program (RFC 8058) or by our page. */
type OptOutVia = "one-click" | "page";

async function lockMembership(
  tx: Transaction,
  { projectId, contactId }: LinkHolder,
  listId: string,
): Promise<Membership | null> {
  const [row] = await tx
    .select({
      id: subscribers.id,
      projectId: subscribers.projectId,
      listId: subscribers.listId,
      contactId: subscribers.contactId,
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

/** Who is off a list by a bounce comes back to it once their address takes mail again, unless they leave meanwhile. */
const leavable: readonly SubscriberStatus[] = ["subscribed", "unconfirmed", "bounced"];
const joinable: readonly SubscriberStatus[] = ["unsubscribed", "unconfirmed"];

/** How a person makes a choice, and what proves it. */
interface Act {
  via: OptOutVia;
  by: ChangedBy;
}

async function actOf(
  tx: Transaction,
  { emailId, projectId }: LinkHolder,
  via: OptOutVia,
  evidence: Evidence | undefined,
  why: Pick<ChangedBy, "reason" | "comment"> = {},
): Promise<Act> {
  const kept = await keepEvidence(tx, projectId, evidence);
  const origin = via === "page" ? ("link" as const) : ("oneClick" as const);
  return { via, by: { origin, actorId: null, emailId, ...kept, ...why } };
}

/** Sets the person's consent to everything the project sends; false when nothing changed. */
async function setConsent(
  tx: Transaction,
  holder: LinkHolder,
  consent: "subscribed" | "unsubscribed",
  { by }: Act,
): Promise<boolean> {
  const { projectId, contactId } = holder;
  const [before] = await tx
    .select({ consent: contacts.consent })
    .from(contacts)
    .where(eq(contacts.id, contactId));
  const [changed] = await tx
    .update(contacts)
    .set({ consent, updatedAt: now })
    .where(and(eq(contacts.id, contactId), ne(contacts.consent, consent)))
    .returning({ id: contacts.id });
  if (!changed || !before) return false;
  const ctx = { projectId, actor: { type: "system", id: null }, requestId: "recipient" } as const;
  await auditConsent(tx, ctx, { id: contactId, consent }, before.consent, { by: "recipient" });
  const change = { before: before.consent, after: consent, listId: null };
  await recordConsentChange(tx, { projectId, contactId, ...change }, by);
  await emitContactEvents(tx, projectId, [{ type: `contact.${consent}`, contactId }]);
  return true;
}

/**
 * Records on the email that its reader opted out through it: the time, the event and the figures, once per email.
 */
async function recordOptOut(
  tx: Transaction,
  emailId: string,
  data: { via: OptOutVia; list: string | null; topic?: string },
): Promise<void> {
  await tx.execute(sql`
    with opted_out as (
      update ${emails} set ${assignments(emails, { unsubscribedAt: now })}
      where ${emails.id} = ${emailId} and ${emails.unsubscribedAt} is null
      returning ${emails.id}, ${emails.projectId}, ${emails.campaignId}, ${emails.variant},
        1 as unsubscribed
    ), event as (
      ${insertSelected(emailEvents, {
        id: newIdOf(sql`project_id`),
        projectId: sql`project_id`,
        emailId: sql`id`,
        name: sql`'unsubscribed'`,
        data: sql`${JSON.stringify(data)}::jsonb`,
        position: sql`null`,
      })} from opted_out
    )
    ${addFigures("opted_out", ["unsubscribed"], { variants: true })}`);
}

/**
 * Whoever leaves through a mail leaves at the address that it went to, too, should the person have another one by now
 * (of a contact that was merged) and that one be a contact again.
 */
async function leaveAtAddress(
  tx: Transaction,
  { emailId, ...holder }: LinkHolder,
  act: Act,
): Promise<void> {
  if (emailId === null) return;
  const { projectId } = holder;
  const [mail] = await tx
    .select({ recipient: emails.recipient })
    .from(emails)
    .where(eq(emails.id, emailId));
  if (!mail?.recipient) return;
  const [there] = await tx
    .select({ contactId: contacts.id })
    .from(contacts)
    .where(hasAddress(projectId, mail.recipient))
    .for("update");
  if (there?.contactId === holder.contactId) return;
  if (there) await setConsent(tx, { ...holder, ...there, emailId }, "unsubscribed", act);
  else await rememberObjection(tx, projectId, mail.recipient, act.by.origin);
}

/** From one list (uuid), or from everything. False when nothing changed. */
async function leave(
  tx: Transaction,
  holder: LinkHolder,
  listId: string | null,
  act: Act,
): Promise<boolean> {
  const membership = listId === null ? null : await lockMembership(tx, holder, listId);
  // A person who is no longer on the list has still asked to be left alone, so it then counts for everything.
  const changed = membership
    ? leavable.includes(membership.status) &&
      (await changeMembership(tx, membership, "unsubscribed", { testMode: false, by: act.by }))
    : await setConsent(tx, holder, "unsubscribed", act);
  if (!membership) await leaveAtAddress(tx, holder, act);
  if (changed && holder.emailId !== null) {
    const list = membership ? encodeId("list", membership.listId) : null;
    await recordOptOut(tx, holder.emailId, { via: act.via, list });
  }
  return changed;
}

async function applyChange(
  tx: Transaction,
  holder: LinkHolder,
  requested: Restoring,
  evidence: Evidence | undefined,
): Promise<boolean> {
  if (requested.action === "leave-all") {
    const why = { reason: requested.reason || null, comment: requested.comment || null };
    return leave(tx, holder, null, await actOf(tx, holder, "page", evidence, why));
  }
  const act = await actOf(tx, holder, "page", evidence);
  switch (requested.action) {
    case "leave-topic": {
      const changed = await leaveTopic(tx, holder, requested.topic, act.by);
      if (changed && holder.emailId !== null) {
        await recordOptOut(tx, holder.emailId, { via: "page", list: null, topic: requested.topic });
      }
      return changed;
    }
    case "join-topic":
      return joinTopic(tx, holder, requested.topic, act.by);
    case "pause":
      return pause(tx, holder, { days: Number(requested.days) }, act.by);
    case "pause-until":
      return pause(tx, holder, { until: requested.until }, act.by);
    case "resume":
      return resume(tx, holder, act.by);
    case "weekly":
    case "normal":
      return setFrequency(tx, holder, requested.action, act.by);
    case "name":
      return setName(tx, holder, requested, act.by);
    case "leave":
    case "join":
    case "return":
      return changeSubscription(tx, holder, requested, act);
  }
}

/** Leaving one list, joining it again, or coming back to everything. */
async function changeSubscription(
  tx: Transaction,
  holder: LinkHolder,
  requested: PreferenceChange & { action: "leave" | "join" | "return" },
  act: Act,
): Promise<boolean> {
  // A complaint or a bounce can only be lifted by deleting the suppression: no button promises more.
  if (requested.action !== "leave" && (await isContactBlocked(tx, holder.contactId))) return false;
  // The person's own decision is the only thing that lifts an unsubscription from everything.
  if (requested.action === "return") return setConsent(tx, holder, "subscribed", act);
  const listId = decodeId("list", requested.list);
  const membership = listId && (await lockMembership(tx, holder, listId));
  if (!membership) return false;
  if (requested.action === "leave") return leave(tx, holder, membership.listId, act);
  return (
    joinable.includes(membership.status) &&
    changeMembership(tx, membership, "subscribed", { testMode: false, by: act.by })
  );
}

type Outcome = "changed" | "unchanged" | "deleted";

async function withLinkHolder(
  db: Database,
  token: string,
  work: (tx: Transaction, holder: LinkHolder) => Promise<boolean>,
): Promise<Outcome | null> {
  return retryConflicts(() =>
    db.transaction(async (tx) => {
      const holder = await lockLinkHolder(tx, token);
      if (holder === null || holder === "deleted") return holder;
      return (await work(tx, holder)) ? "changed" : "unchanged";
    }),
  );
}

/**
 * Does what the holder of a link asks for, once: a repetition is `unchanged`. In one transaction; waiting mail is
 * checked against it when it is claimed. null when the token is not ours.
 */
export function changePreferences(
  db: Database,
  token: string,
  requested: Restoring,
  evidence?: Evidence,
): Promise<Outcome | null> {
  return withLinkHolder(db, token, (tx, holder) => applyChange(tx, holder, requested, evidence));
}

/** One-click: leaves the list the mail was sent to, or everything if it was not sent to a list. */
export function unsubscribeByToken(
  db: Database,
  token: string,
  evidence?: Evidence,
): Promise<Outcome | null> {
  return withLinkHolder(db, token, async (tx, holder) =>
    leave(tx, holder, holder.listId, await actOf(tx, holder, "one-click", evidence)),
  );
}
