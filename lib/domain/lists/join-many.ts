import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { Executor, Transaction } from "@/db/client";
import type { ConsentOrigin, SubscriberSource, SubscriberStatus } from "@/db/enums";
import { consentChanges, contacts, type lists, subscribers } from "@/db/schema";
import type { ConsentValue } from "@/db/schema/contacts";
import { findHindrances } from "@/lib/domain/contact-states/state";
import { joiningStatus } from "@/lib/domain/contact-states/suppressed-members";
import { byIds } from "@/lib/ground/by-id";
import { AppError, isAppError } from "@/lib/ground/errors";
import { emitContactEvents } from "@/lib/ground/events/emit";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { laterThan } from "@/lib/ground/updates/stale";
import { checkFieldValues } from "./field-values";
import { fieldRows } from "./lists";
import { sendConfirmation, sendWelcome } from "./mails";

type ListRow = typeof lists.$inferSelect;

/** Who has them join, as their histories record it. */
export interface JoinedBy {
  source: SubscriberSource;
  origin: ConsentOrigin;
  /** uuid of the user or the API key. */
  actorId?: string | null;
  /** uuid */
  importId?: string;
  testMode: boolean;
}

export interface Joined {
  /** uuids of the contacts who are members now and were not. */
  joined: string[];
  /** How many unsubscribed from everything, and so did not join. */
  unsubscribed: number;
  /** How many left this list before, or mail to them bounced. */
  leftList: number;
}

/**
 * The values that a list's fields begin with. Throws CONFLICT when it requires one that has none: only somebody who
 * is asked can give it.
 */
export async function initialFields(
  executor: Executor,
  list: ListRow,
): Promise<Record<string, string>> {
  try {
    return checkFieldValues(await fieldRows(executor, list.id), {}, true);
  } catch (error) {
    if (!isAppError(error)) throw error;
    throw new AppError(
      "CONFLICT",
      `The list ${list.name} requires a field that many cannot be given at once (${error.message}). Give it a default value, or make it optional.`,
    );
  }
}

/** SQL: these contacts' memberships of the list, looked up by the contacts, as byIds looks those up. */
const membersOf = (listId: string, contactIds: readonly string[]): SQL =>
  sql`${subscribers.contactId} = any(${sql.param(contactIds)}::uuid[])
    and (${subscribers.listId} = ${listId}) is true`;

/**
 * Has contacts (uuids) of the list's project join it, under the rules of one who is added: where the list asks for
 * confirmation, they are asked, unless their address is suppressed. Nobody is brought back who has left the list or
 * everything: what is done to many is no act of theirs. Throws CONFLICT, DOMAIN_NOT_VERIFIED, PAYMENT_REQUIRED.
 */
export async function joinMany(
  tx: Transaction,
  list: ListRow,
  contactIds: readonly string[],
  { source, testMode, ...by }: JoinedBy,
): Promise<Joined> {
  const { projectId, id: listId } = list;
  const fields = await initialFields(tx, list);
  // In one order, as everybody locks contacts, and before their memberships.
  const people = await tx
    .select({ id: contacts.id, consent: contacts.consent })
    .from(contacts)
    .where(byIds(contacts, projectId, contactIds))
    .orderBy(contacts.id)
    .for("update");
  const members = await tx
    .select({ contactId: subscribers.contactId, status: subscribers.status })
    .from(subscribers)
    .where(membersOf(listId, contactIds));
  const statusOf = new Map(members.map(({ contactId, status }) => [contactId, status]));
  const isMember = (id: string) => ["subscribed", "unconfirmed"].includes(statusOf.get(id) ?? "");
  const hasLeft = (id: string) => statusOf.has(id) && !isMember(id);
  const open = people.filter(({ id }) => !statusOf.has(id));
  const willing = open.filter(({ consent }) => consent !== "unsubscribed");
  const status: SubscriberStatus = list.subscribeConfirmation ? "unconfirmed" : "subscribed";
  const hindrances = await findHindrances(
    tx,
    willing.map(({ id }) => id),
  );
  const suppressed = (id: string) => hindrances.get(id)?.suppressed ?? null;
  const ended = (id: string) => joiningStatus(suppressed(id));
  const added =
    willing.length === 0
      ? []
      : await tx
          .insert(subscribers)
          .values(
            willing.map(({ id }) => ({
              ...{ id: newId(projectId), projectId, listId, contactId: id },
              ...{ status: ended(id) ?? status, source, fields },
            })),
          )
          .onConflictDoNothing({ target: [subscribers.listId, subscribers.contactId] })
          .returning({ id: subscribers.id, contactId: subscribers.contactId });
  const joined = added.map(({ contactId }) => contactId);
  await record(tx, joined, { projectId, listId, before: null, after: status, ...by });
  if (status === "subscribed") {
    const asked = await subscribeNeverAsked(tx, joined);
    const never = { projectId, listId: null, before: "never", after: "subscribed" } as const;
    await record(tx, asked, { ...never, ...by });
    const data = { listId: encodeId("list", listId) };
    await emitContactEvents(
      tx,
      projectId,
      joined
        .filter((id) => !ended(id))
        .map((contactId) => ({ type: "contact.subscribed", contactId, data })),
    );
  }
  if (status === "unconfirmed" || list.sendWelcomeEmail) {
    const write = status === "unconfirmed" ? sendConfirmation : sendWelcome;
    for (const { id, contactId } of added) {
      if (!suppressed(contactId)) await write(tx, id, { testMode });
    }
  }
  return {
    joined,
    unsubscribed: open.length - willing.length,
    leftList: people.filter(({ id }) => hasLeft(id)).length,
  };
}

/** Joining turns "never asked" into subscribed. */
async function subscribeNeverAsked(tx: Transaction, contactIds: string[]): Promise<string[]> {
  if (contactIds.length === 0) return [];
  const rows = await tx
    .update(contacts)
    .set({ consent: "subscribed", updatedAt: laterThan(contacts.updatedAt) })
    .where(and(inArray(contacts.id, contactIds), eq(contacts.consent, "never")))
    .returning({ id: contacts.id });
  return rows.map(({ id }) => id);
}

interface ChangeOfMany {
  projectId: string;
  listId: string | null;
  before: ConsentValue | null;
  after: ConsentValue;
  origin: ConsentOrigin;
  actorId?: string | null;
  importId?: string;
}

async function record(tx: Transaction, contactIds: readonly string[], change: ChangeOfMany) {
  if (contactIds.length === 0) return;
  await tx
    .insert(consentChanges)
    .values(contactIds.map((contactId) => ({ ...change, id: newId(change.projectId), contactId })));
}

/**
 * Takes members off the list; the contacts stay. Whoever left it by themselves, or complained, stays on record as
 * somebody who left, so that nobody adds them again. Returns the uuids of those taken off, and how many had left.
 */
export async function takeOffMany(
  tx: Transaction,
  list: Pick<ListRow, "id" | "projectId">,
  contactIds: readonly string[],
): Promise<{ takenOff: string[]; leftList: number }> {
  const ofList = membersOf(list.id, contactIds);
  await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(byIds(contacts, list.projectId, contactIds))
    .orderBy(contacts.id)
    .for("update");
  const rows = await tx
    .delete(subscribers)
    .where(and(ofList, inArray(subscribers.status, ["subscribed", "unconfirmed", "bounced"])))
    .returning({ contactId: subscribers.contactId });
  const leftList = await tx.$count(subscribers, ofList);
  return { takenOff: rows.map(({ contactId }) => contactId), leftList };
}
