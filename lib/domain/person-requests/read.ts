import { and, desc, eq, isNull, ne, sql } from "drizzle-orm";
import { hasAddress } from "@/lib/domain/contact-states/has-address";
import type { Database, Executor } from "@/db/client";
import { consentChanges, contacts, personRequests, projects } from "@/db/schema";
import { brandColumns } from "@/lib/domain/opt-outs/brand";
import { undoDays } from "@/lib/domain/opt-outs/preferences";
import { languageIn } from "@/lib/ground/texts/texts";
import {
  contactToken,
  readAddressUndoToken,
  readPersonRequestToken,
} from "@/lib/mail/tracking/tokens";
import type { PersonRequest } from "./schema";

/** How long a confirmation link works. */
const requestDays = 7;

/** What a link refers to: the request (uuid), and whether the link can only undo it. */
export interface RequestLink {
  requestId: string;
  undoOnly: boolean;
}

/** null: the token is not ours. */
export function readRequestLink(token: string): RequestLink | null {
  const requestId = readPersonRequestToken(token);
  if (requestId !== null) return { requestId, undoOnly: false };
  const undone = readAddressUndoToken(token);
  return undone === null ? null : { requestId: undone, undoOnly: true };
}

export const selectRequest = (executor: Executor, requestId: string) =>
  executor
    .select({
      request: personRequests,
      contact: contacts,
      brand: brandColumns,
      fresh: sql<boolean>`${personRequests.createdAt}
        > app_now() - make_interval(days => ${requestDays})`,
      undoable: sql<boolean>`coalesce(${personRequests.doneAt}
        > app_now() - make_interval(days => ${undoDays}), false)`,
    })
    .from(personRequests)
    .innerJoin(contacts, eq(contacts.id, personRequests.contactId))
    .innerJoin(projects, eq(projects.id, personRequests.projectId))
    .where(eq(personRequests.id, requestId));
export type RequestRow = Awaited<ReturnType<typeof selectRequest>>[number];

/** The project's other contact with the address; null when there is none. */
export async function findOther(
  executor: Executor,
  { projectId, id }: RequestRow["contact"],
  email: string,
): Promise<string | null> {
  const [other] = await executor
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(hasAddress(projectId, email), ne(contacts.id, id)));
  return other?.id ?? null;
}

/**
 * What the contact's consent was before this change kept two contacts apart and unsubscribed this one; null where that was
 * not the last word on it.
 */
export async function consentBefore(
  executor: Executor,
  { request, contact }: RequestRow,
): Promise<"subscribed" | "never" | null> {
  if (!request.keptApart || contact.consent !== "unsubscribed") return null;
  const { before, createdAt } = consentChanges;
  const [last] = await executor
    .select({
      before,
      // Both were written by one transaction.
      isIts: sql<boolean>`${createdAt} = ${personRequests.doneAt}`,
    })
    .from(consentChanges)
    .innerJoin(personRequests, eq(personRequests.id, request.id))
    .where(
      and(
        eq(consentChanges.projectId, contact.projectId),
        eq(consentChanges.contactId, contact.id),
        eq(consentChanges.kind, "subscription"),
        isNull(consentChanges.listId),
      ),
    )
    .orderBy(desc(consentChanges.id))
    .limit(1);
  if (!last?.isIts) return null;
  return last.before === "subscribed" || last.before === "never" ? last.before : null;
}

function stateOf({ request, fresh }: RequestRow, undoOnly: boolean): PersonRequest["state"] {
  if (request.undoneAt) return "undone";
  if (request.doneAt) return "done";
  return fresh && !undoOnly ? "open" : "expired";
}

/** What a link asks, and its state. Changes nothing. null: the token is not ours. */
export async function getPersonRequest(db: Database, token: string): Promise<PersonRequest | null> {
  const link = readRequestLink(token);
  if (!link) return null;
  const [row] = await selectRequest(db, link.requestId);
  if (!row) {
    return {
      ...{ kind: "address", state: "gone", brand: null, person: null },
      ...{ email: "", undoable: false, token: null },
    };
  }
  const { request, contact, brand, undoable } = row;
  const state = stateOf(row, link.undoOnly);
  const { previousEmail, keptApart } = request;
  const canReturn = keptApart && (await consentBefore(db, row)) !== null;
  const isTaken =
    state === "done" && previousEmail !== null && (await findOther(db, contact, previousEmail));
  // In the new mailbox, the page must not tell whether the address was known.
  const isStale = undoable && (keptApart ? link.undoOnly && !canReturn : isTaken);
  return {
    kind: request.kind,
    state: state === "done" && isStale ? "stale" : state,
    brand,
    person: languageIn(contact.data),
    email: request.email ?? contact.email,
    undoable: state === "done" && undoable && (keptApart ? canReturn : !isTaken),
    token: contactToken(contact.id),
  };
}
