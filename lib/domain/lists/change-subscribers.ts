import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "@/db/client";
import type { Consent, SubscriberStatus } from "@/db/enums";
import { retryConflicts, violatedConstraint } from "@/db/errors";
import { contacts, subscribers } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { audit } from "@/lib/ground/audit";
import { normalizeAddress } from "@/lib/mail/address";
import { findHindrances } from "@/lib/domain/contact-states/state";
import { joiningStatus } from "@/lib/domain/contact-states/suppressed-members";
import { sayWhoChanges } from "@/lib/domain/contacts/changing";
import { auditConsent } from "@/lib/domain/contacts/consent";
import {
  changedBy,
  recordConsentChange,
  type ChangedBy,
} from "@/lib/domain/contacts/consent-changes";
import { takeNewAddress } from "@/lib/domain/contacts/new-address";
import { dataFault, mostTags } from "@/lib/domain/contacts/schema";
import { upsertRows } from "@/lib/domain/contacts/upsert";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid, isAppError } from "@/lib/ground/errors";
import { emitContactEvents } from "@/lib/ground/events/emit";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";
import { newId } from "@/lib/ground/ids/ids";
import { checkFieldValues } from "./field-values";
import { fieldRows, findListRow } from "./lists";
import { sendConfirmation } from "./mails";
import { changeMembership, subscribeIfNeverAsked, welcomeMember } from "./membership";
import type { SubscriberInput, SubscriberUpdate } from "./schema";
import {
  type Subscriber,
  selectMembers,
  lockedTables,
  toSubscriber,
  findSubscriberRow,
  ofAddress,
} from "./subscribers";

/**
 * Makes a contact a member: subscribed, or unconfirmed and asked to confirm if the list requires that. Whose address
 * bounced or was complained from is so on this list, too, until that is lifted; nobody is asked whose address is
 * suppressed. A blank name changes none.
 * Throws NOT_FOUND; CONFLICT when the address is on the list, whatever its status (somebody who has not
 * confirmed yet is asked again); VALIDATION_ERROR for field values; DOMAIN_NOT_VERIFIED and
 * PAYMENT_REQUIRED when it cannot be asked. Needs editor.
 */
export async function addSubscriber(
  ctx: Context,
  listId: string,
  input: SubscriberInput,
): Promise<Subscriber> {
  requireRole(ctx, "editor");
  const { source, ipAddress, fields: fieldValues, tags, email, firstName, lastName } = input;
  // Forms send empty fields along: they say nothing of a name that is known.
  const person = {
    email,
    ...(firstName?.trim() ? { firstName } : {}),
    ...(lastName?.trim() ? { lastName } : {}),
  };
  const add = async (tx: Transaction) => {
    // Whoever deletes it waits, or it is gone already.
    const list = await findListRow(tx, ctx, listId, "key share");
    const fields = checkFieldValues(await fieldRows(tx, list.id), fieldValues ?? {}, true);
    checkFieldsSize(fields);
    const status: SubscriberStatus = list.subscribeConfirmation ? "unconfirmed" : "subscribed";
    // A contact created by an unconfirmed sign-up has not agreed to anything yet.
    const newConsent = status === "subscribed" ? "subscribed" : "never";
    const [contact] = await upsertRows(tx, ctx, [person], newConsent);
    if (!contact) throw new Error("An upsert returned no row.");
    const id = newId(ctx.projectId);
    const owner = { projectId: ctx.projectId, listId: list.id, contactId: contact.id };
    const hindrance = (await findHindrances(tx, [contact.id])).get(contact.id);
    const suppressed = hindrance?.suppressed ?? null;
    const ended = joiningStatus(suppressed);
    const inserted = await tx
      .insert(subscribers)
      .values({
        ...{ id, ...owner, status: ended ?? status },
        ...{ source, ipAddress: ipAddress ?? null, fields },
      })
      .onConflictDoNothing({ target: [subscribers.listId, subscribers.contactId] })
      .returning({ id: subscribers.id });
    if (inserted.length === 0) throw alreadyMember;
    if (tags?.length && (await addTags(tx, contact.id, tags, changedBy(ctx)))) {
      await tellChanged(tx, owner);
    }
    const by = changedBy(ctx);
    await recordConsentChange(tx, { ...owner, before: null, after: status }, by);
    const membership = { id, status, ...owner };
    if (status === "subscribed") {
      if (ended) await subscribeIfNeverAsked(tx, membership, by);
      else await welcomeMember(tx, membership, { ...ctx, by, isNew: true });
    } else if (!suppressed) {
      await sendConfirmation(tx, id, ctx);
    }
    const [row] = await selectMembers(tx).where(eq(subscribers.id, id));
    if (!row) throw new Error("An insert returned no row.");
    const subscriber = toSubscriber(row);
    await audit(tx, ctx, "create.subscriber", subscriber.id, { list: listId });
    return subscriber;
  };
  const alreadyMember = new AppError("CONFLICT", "The address is already on this list.");
  try {
    return await retryConflicts(() => ctx.db.transaction(add));
  } catch (error) {
    if (error === alreadyMember) await askAgain(ctx, listId, person.email);
    throw error;
  }
}

/** Somebody who signs up again may have lost the confirmation mail. */
async function askAgain(ctx: Context, listId: string, email: string): Promise<void> {
  const ask = async (tx: Transaction) => {
    const list = await findListRow(tx, ctx, listId);
    const [row] = await selectMembers(tx)
      .where(and(eq(subscribers.listId, list.id), ofAddress(ctx, email)))
      .for("update", lockedTables);
    if (row?.status !== "unconfirmed" || row.suppressed) return;
    if (!(await sendConfirmation(tx, row.id, ctx))) return;
    // A link works for some days after the mail it came with.
    await tx.update(subscribers).set({ updatedAt: now }).where(eq(subscribers.id, row.id));
  };
  try {
    await retryConflicts(() => ctx.db.transaction(ask));
  } catch (error) {
    // The answer is that the address is on the list, even if its mail cannot go out.
    if (!isAppError(error)) throw error;
  }
}

/** Tells the project that a contact (uuids) is another than before. */
const tellChanged = (
  tx: Transaction,
  { projectId, contactId }: { projectId: string; contactId: string },
) => emitContactEvents(tx, projectId, [{ type: "contact.updated", contactId }]);

/** Records that the address somebody was given had objected to everything, if they were not unsubscribed before. */
async function noteObjection(
  tx: Transaction,
  ctx: Context,
  { contactId, consent: before }: { contactId: string; consent: Consent },
): Promise<void> {
  if (before === "unsubscribed") return;
  const { projectId } = ctx;
  const after = "unsubscribed";
  await auditConsent(tx, ctx, { id: contactId, consent: after }, before);
  const change = { projectId, contactId, listId: null, before, after } as const;
  await recordConsentChange(tx, change, changedBy(ctx));
  await emitContactEvents(tx, projectId, [{ type: "contact.unsubscribed", contactId }]);
}

/**
 * Changes the given fields, and adds tags; an empty value clears a field. Throws NOT_FOUND; CONFLICT for somebody
 * else's address, and when it was changed since `basedOn`; VALIDATION_ERROR for values and too many tags. Needs editor.
 */
export async function updateSubscriber(
  ctx: Context,
  id: string,
  { tags = [], ...input }: SubscriberUpdate & { tags?: readonly string[] },
): Promise<Subscriber> {
  requireRole(ctx, "editor");
  const email = input.email === undefined ? null : normalizeAddress(input.email);
  const change = async (tx: Transaction) => {
    const before = await findSubscriberRow(tx, ctx, id, true);
    refuseStale(input.basedOn, before.updatedAt);
    const values = checkFieldValues(await fieldRows(tx, before.listId), input.fields ?? {}, false);
    const cleared = Object.keys(values).filter((tag) => values[tag] === "");
    const from = { ...before, id: before.contactId };
    const objected = email !== null && (await takeNewAddress(tx, from, email));
    await sayWhoChanges(tx, changedBy(ctx));
    await tx
      .update(contacts)
      .set({
        ...(email === null ? {} : { email }),
        ...(objected ? { consent: "unsubscribed" } : {}),
        firstName: input.firstName?.trim(),
        lastName: input.lastName?.trim(),
        updatedAt: laterThan(contacts.updatedAt),
      })
      .where(eq(contacts.id, before.contactId));
    const [changed] = await tx
      .update(subscribers)
      .set({
        updatedAt: laterThan(subscribers.updatedAt),
        fields: sql`(${subscribers.fields} || ${JSON.stringify(values)}::jsonb)
          - ${sql.param(cleared)}::text[]`,
      })
      .where(eq(subscribers.id, before.id))
      .returning({ fields: subscribers.fields });
    checkFieldsSize(changed?.fields ?? {});
    const tagged = tags.length > 0 && (await addTags(tx, before.contactId, tags, changedBy(ctx)));
    const isOther = email !== null || input.firstName !== undefined || input.lastName !== undefined;
    if (isOther || tagged) await tellChanged(tx, before);
    if (objected) await noteObjection(tx, ctx, before);
    await audit(tx, ctx, "update.subscriber", id);
    if (tagged) await audit(tx, ctx, "tag.subscriber", id, { tags });
    return toSubscriber(await findSubscriberRow(tx, ctx, id));
  };
  try {
    return await retryConflicts(() => ctx.db.transaction(change));
  } catch (error) {
    if (violatedConstraint(error) !== "contacts_email") throw error;
    throw new AppError("CONFLICT", "Another contact has this address.");
  }
}

async function changeStatus(
  ctx: Context,
  id: string,
  status: "subscribed" | "unsubscribed",
): Promise<{ subscriber: Subscriber; changed: boolean }> {
  requireRole(ctx, "editor");
  const change = async (tx: Transaction) => {
    const before = await findSubscriberRow(tx, ctx, id, true);
    if (status === "subscribed") refuseSuppressed(before);
    if (!(await changeMembership(tx, before, status, { ...ctx, by: changedBy(ctx) }))) {
      return { subscriber: toSubscriber(before), changed: false };
    }
    await audit(
      tx,
      ctx,
      status === "subscribed" ? "subscribe.subscriber" : "unsubscribe.subscriber",
      id,
    );
    return { subscriber: toSubscriber(await findSubscriberRow(tx, ctx, id)), changed: true };
  };
  return retryConflicts(() => ctx.db.transaction(change));
}

/**
 * A complaint or a hard bounce is lifted by whoever lifts the suppression, and by nothing else: also where the address
 * had been suppressed by hand before, which the suppression goes on saying.
 */
function refuseSuppressed({
  email,
  suppressed,
  status,
}: Awaited<ReturnType<typeof findSubscriberRow>>) {
  if (!suppressed) return;
  const complained = suppressed === "complaint" || status === "complained";
  if (!complained && suppressed !== "hard_bounce" && status !== "bounced") return;
  const happened = complained ? "complained about mail" : "does not take mail";
  throw new AppError(
    "CONFLICT",
    `${email} ${happened} and is suppressed. Lift the suppression first; subscribing does not.`,
  );
}

/**
 * Subscribes or confirms a member. Does not lift an unsubscription from everything. Throws NOT_FOUND; CONFLICT for an
 * address that bounced or complained. Needs editor.
 */
export const subscribe = (ctx: Context, id: string) => changeStatus(ctx, id, "subscribed");

/** From this list only. Throws NOT_FOUND. Needs editor. */
export const unsubscribe = (ctx: Context, id: string) => changeStatus(ctx, id, "unsubscribed");

/** A list may have any number of fields, so their values are limited together, as a contact's attributes are. */
function checkFieldsSize(fields: Readonly<Record<string, string>>): void {
  const fault = dataFault(fields);
  if (fault) throw invalid("fields", `${fault} together with what the subscriber already has`);
}

/** Tags that the contact already has stay where they are. Resolves to whether there were others. */
async function addTags(
  tx: Transaction,
  contactId: string,
  tags: readonly string[],
  by: ChangedBy,
): Promise<boolean> {
  await sayWhoChanges(tx, by);
  const missing = sql`array(
    select added.tag from unnest(${sql.param([...new Set(tags)])}::text[])
      with ordinality as added(tag, place)
    where added.tag <> all(${contacts.tags}) order by added.place)`;
  const [row] = await tx
    .update(contacts)
    .set({ updatedAt: now, tags: sql`${contacts.tags} || ${missing}` })
    .where(
      and(eq(contacts.id, contactId), sql`not ${contacts.tags} @> ${sql.param([...tags])}::text[]`),
    )
    .returning({ tags: contacts.tags });
  if (row && row.tags.length > mostTags) {
    throw invalid("tag", `gives the contact more than ${mostTags} tags`);
  }
  return row !== undefined;
}

/** Adds to the contact's tags. Throws NOT_FOUND. Needs editor. */
export async function tagSubscriber(
  ctx: Context,
  id: string,
  tags: readonly string[],
): Promise<Subscriber> {
  requireRole(ctx, "editor");
  const tag = async (tx: Transaction) => {
    const row = await findSubscriberRow(tx, ctx, id, true);
    if (await addTags(tx, row.contactId, tags, changedBy(ctx))) await tellChanged(tx, row);
    await audit(tx, ctx, "tag.subscriber", id, { tags });
    return toSubscriber(await findSubscriberRow(tx, ctx, id));
  };
  return retryConflicts(() => ctx.db.transaction(tag));
}

/** Takes the contact off the list; the contact stays. Throws NOT_FOUND. Needs editor. */
export async function deleteSubscriber(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  const remove = async (tx: Transaction) => {
    const row = await findSubscriberRow(tx, ctx, id, true);
    await tx.delete(subscribers).where(eq(subscribers.id, row.id));
    await audit(tx, ctx, "delete.subscriber", id);
  };
  await retryConflicts(() => ctx.db.transaction(remove));
}
