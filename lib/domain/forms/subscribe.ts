import { and, eq, ne } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import type { Consent, SubscriberStatus } from "@/db/enums";
import type { formSignUps } from "@/db/schema";
import { contacts, listFields, subscribers, topics } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { isAddressBlocked } from "@/lib/domain/contacts/blocked";
import { auditConsent } from "@/lib/domain/contacts/consent";
import { sayWhoChanges } from "@/lib/domain/contacts/changing";
import { recordConsentChange, type ChangedBy } from "@/lib/domain/contacts/consent-changes";
import { dataFault } from "@/lib/domain/contacts/schema";
import { upsertRows } from "@/lib/domain/contacts/upsert";
import { contactTags } from "@/lib/domain/lists/field-values";
import { changeMembership, welcomeMember } from "@/lib/domain/lists/membership";
import { joinTopic, leaveTopic } from "@/lib/domain/opt-outs/choices";
import { emitContactEvents } from "@/lib/ground/events/emit";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { languageIn } from "@/lib/ground/texts/texts";
import type { FormRow } from "./rows";

export type SignUpRow = typeof formSignUps.$inferSelect;

/** A person's two acts: submitting the form and confirming it; null when they were not asked to confirm. */
export interface Acts {
  sent: ChangedBy;
  confirmed: ChangedBy | null;
}

interface Person {
  projectId: string;
  contactId: string;
}

/** The contact, locked. What we already know about them stays; what they entered fills the gaps. */
async function takeContact(tx: Transaction, signUp: SignUpRow, by: ChangedBy) {
  const system = {
    projectId: signUp.projectId,
    actor: { type: "system", id: null },
  } as const;
  const [contact] = await upsertRows(tx, system, [{ email: signUp.email }], "never");
  if (!contact) throw new Error("An upsert returned no row.");
  const language = languageIn(contact.data) === null ? { language: signUp.language } : {};
  const data = { ...language, ...signUp.data, ...contact.data };
  await sayWhoChanges(tx, by);
  await tx
    .update(contacts)
    .set({
      firstName: contact.first_name || signUp.firstName,
      lastName: contact.last_name || signUp.lastName,
      data: dataFault(data) === null ? data : contact.data,
      updatedAt: now,
    })
    .where(eq(contacts.id, contact.id));
  return contact;
}

/** Subscribes to everything the project sends. It is the person's own wish, so it lifts an unsubscription too. */
async function giveConsent(
  tx: Transaction,
  { projectId, contactId }: Person,
  before: Consent,
  { sent, confirmed }: Acts,
  sentAt: Date,
): Promise<void> {
  await tx
    .update(contacts)
    .set({ consent: "subscribed", updatedAt: now })
    .where(eq(contacts.id, contactId));
  const ctx = { projectId, actor: { type: "system", id: null }, requestId: "form" } as const;
  const consent = { id: contactId, consent: "subscribed" } as const;
  await auditConsent(tx, ctx, consent, before, { by: "recipient" });
  const change = { projectId, contactId, listId: null };
  if (confirmed) {
    const asked = { before, after: "unconfirmed", createdAt: sentAt } as const;
    await recordConsentChange(tx, { ...change, ...asked }, sent);
  }
  const last = { before: confirmed ? "unconfirmed" : before, after: "subscribed" } as const;
  await recordConsentChange(tx, { ...change, ...last }, confirmed ?? sent);
  await emitContactEvents(tx, projectId, [{ type: "contact.subscribed", contactId }]);
}

/** The values of a membership: those already stored, else what was entered, else the fields' defaults. */
async function fieldsOf(
  tx: Transaction,
  listId: string,
  signUp: SignUpRow,
  stored: Record<string, string> | undefined,
): Promise<Record<string, string>> {
  const defaults = await tx
    .select({ tag: listFields.tag, value: listFields.defaultValue })
    .from(listFields)
    .where(eq(listFields.listId, listId));
  const ownDefaults = defaults.flatMap(({ tag, value }) =>
    value && !contactTags.includes(tag) ? [[tag, value]] : [],
  );
  const usual = Object.fromEntries(ownDefaults) as Record<string, string>;
  return { ...usual, ...signUp.fields, ...stored };
}

/** Puts the person on the list, or back on it; a membership that bounced or complained stays as it is. */
async function joinList(
  tx: Transaction,
  { projectId, contactId }: Person,
  listId: string,
  signUp: SignUpRow,
  { sent, confirmed }: Acts,
): Promise<void> {
  const [before] = await tx
    .select()
    .from(subscribers)
    .where(and(eq(subscribers.listId, listId), eq(subscribers.contactId, contactId)))
    .for("update");
  if (before?.status === "bounced" || before?.status === "complained") return;
  const fields = await fieldsOf(tx, listId, signUp, before?.fields);
  const id = before?.id ?? newId(projectId);
  const isMember = before?.status === "subscribed";
  const status: SubscriberStatus = isMember || !confirmed ? "subscribed" : "unconfirmed";
  if (before) {
    const set = { status, fields, updatedAt: now };
    await tx.update(subscribers).set(set).where(eq(subscribers.id, id));
  } else {
    const { ipAddress } = signUp;
    const joined = { id, projectId, listId, contactId, status, fields, ipAddress };
    await tx.insert(subscribers).values({ ...joined, source: "form" });
  }
  if (isMember) return;
  const membership = { id, projectId, listId, contactId, status };
  const change = { projectId, contactId, listId, before: before?.status ?? null, after: status };
  const testMode = false;
  if (before?.status !== status) {
    const sentAt = confirmed ? { createdAt: signUp.createdAt } : {};
    await recordConsentChange(tx, { ...change, ...sentAt }, sent);
  }
  if (confirmed) await changeMembership(tx, membership, "subscribed", { testMode, by: confirmed });
  else await welcomeMember(tx, membership, { testMode, by: sent, isNew: true });
}

/**
 * Somebody who had left everything is subscribed again for one list's sake: the others, which they left with everything,
 * stay left.
 */
async function leaveOtherLists(
  tx: Transaction,
  { projectId, contactId }: Person,
  listId: string,
  by: ChangedBy,
): Promise<void> {
  const left = await tx
    .update(subscribers)
    .set({ status: "unsubscribed", updatedAt: now })
    .where(
      and(
        eq(subscribers.contactId, contactId),
        ne(subscribers.listId, listId),
        eq(subscribers.status, "subscribed"),
      ),
    )
    .returning({ listId: subscribers.listId });
  for (const other of left) {
    const change = { before: "subscribed", after: "unsubscribed", ...other } as const;
    await recordConsentChange(tx, { projectId, contactId, ...change }, by);
    const data = { listId: encodeId("list", other.listId) };
    await emitContactEvents(tx, projectId, [{ type: "contact.unsubscribed", contactId, data }]);
  }
}

/** Restores the form's topics. Somebody who had not been subscribed leaves all other topics. */
async function takeTopics(
  tx: Transaction,
  person: Person,
  { projectId, topicIds }: FormRow,
  isNew: boolean,
  by: ChangedBy,
): Promise<void> {
  if (topicIds.length === 0) return;
  const all = await tx
    .select({ id: topics.id })
    .from(topics)
    .where(eq(topics.projectId, projectId))
    .orderBy(topics.id);
  for (const { id } of all) {
    const topic = encodeId("topic", id);
    if (topicIds.includes(id)) await joinTopic(tx, person, topic, by);
    else if (isNew) await leaveTopic(tx, person, topic, by);
  }
}

/**
 * Subscribes the person to what the form is for. False when nothing was changed because nothing is sent to the
 * address: it bounced, complained or was suppressed by the project, and no form can lift that.
 */
export async function subscribeBy(
  tx: Transaction,
  form: FormRow,
  signUp: SignUpRow,
  acts: Acts,
): Promise<boolean> {
  if (await isAddressBlocked(tx, signUp)) return false;
  const last = acts.confirmed ?? acts.sent;
  const contact = await takeContact(tx, signUp, last);
  const person = { projectId: signUp.projectId, contactId: contact.id };
  const { consent } = contact;
  const { listId } = form;
  // Somebody who was never asked subscribes by joining the list.
  const joins = listId !== null && consent === "never";
  if (consent !== "subscribed" && !joins) {
    await giveConsent(tx, person, consent, acts, signUp.createdAt);
  }
  if (listId !== null) {
    if (consent === "unsubscribed") await leaveOtherLists(tx, person, listId, last);
    await joinList(tx, person, listId, signUp, acts);
  }
  await takeTopics(tx, person, form, consent !== "subscribed", last);
  return true;
}
