import { and, eq, gt, inArray, isNull } from "drizzle-orm";
import { hasAddress } from "@/lib/domain/contact-states/has-address";
import type { Database, Transaction } from "@/db/client";
import { errorCode, retryConflicts, violatedConstraint } from "@/db/errors";
import { contacts, personRequests } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { isContactBlocked } from "@/lib/domain/contacts/blocked";
import { sayWhoChanges } from "@/lib/domain/contacts/changing";
import {
  keepEvidence,
  recordConsentChange,
  type ChangedBy,
  type Evidence,
} from "@/lib/domain/contacts/consent-changes";
import { eraseContact } from "@/lib/domain/contacts/delete";
import { archiveOf } from "@/lib/domain/person-data/person";
import { emitContactEvents } from "@/lib/ground/events/emit";
import { languageIn } from "@/lib/ground/texts/texts";
import { log } from "@/lib/ground/log";
import { changeAddress, type Moved } from "./change-address";
import { mailPerson } from "./mails";
import { consentBefore, readRequestLink, selectRequest, type RequestRow } from "./read";

/** The effect of pressing the button on a link's page; `stale`: it can no longer be done. */
export type ConfirmOutcome =
  | "done"
  | "stale"
  | { archive: ReadableStream<Uint8Array>; language: string | null };

const system = { actor: { type: "system", id: null }, requestId: "recipient" } as const;

/** Erasing is an objection too: when and how it was made is stored with the hash of the address. */
async function eraseAsAsked(
  tx: Transaction,
  { contact }: RequestRow,
  by: ChangedBy,
): Promise<"done"> {
  const { id, projectId, consent } = contact;
  if (consent !== "unsubscribed") {
    const change = { before: consent, after: "unsubscribed", listId: null } as const;
    await recordConsentChange(tx, { projectId, contactId: id, ...change }, by);
  }
  await eraseContact(tx, { ...system, projectId }, contact, { by: "recipient" });
  return "done";
}

/** Locked in the order every statement uses, the contact first. */
async function lockRequest(tx: Transaction, requestId: string): Promise<RequestRow | undefined> {
  const query = selectRequest(tx, requestId);
  const [row] = await query.for("update", { of: [contacts, personRequests] });
  return row;
}

/**
 * Does what a mailed link asks for, once: pressing again changes nothing. A download can be repeated as
 * often as wanted while the link works. null: the token is not ours.
 */
export async function confirmPersonRequest(
  db: Database,
  token: string,
  evidence: Evidence,
): Promise<ConfirmOutcome | null> {
  const link = readRequestLink(token);
  if (!link) return null;
  const { requestId, undoOnly } = link;
  const [asked] = await selectRequest(db, requestId);
  if (!asked || undoOnly) return "stale";
  if (asked.request.kind === "download") {
    if (!asked.fresh) return "stale";
    const { id: contactId, projectId, data } = asked.contact;
    const archive = await archiveOf({ db, projectId, contactId });
    return archive ? { archive, language: languageIn(data) } : "stale";
  }
  let moved: Moved | null = null;
  const confirm = () =>
    db.transaction(async (tx): Promise<"done" | "stale"> => {
      moved = null;
      const row = await lockRequest(tx, requestId);
      if (!row) return "stale";
      const { request, contact, fresh } = row;
      if (request.doneAt) return "done";
      if (!fresh) return "stale";
      const kept = await keepEvidence(tx, contact.projectId, evidence);
      const by: ChangedBy = { origin: "confirmation", actorId: null, ...kept };
      if (request.kind === "erase") return eraseAsAsked(tx, row, by);
      if (await isContactBlocked(tx, contact.id)) return "stale";
      moved = await changeAddress(tx, row, by);
      return moved === null ? "stale" : "done";
    });
  const outcome = await retryConflicts(confirm).catch((error: unknown) => {
    // Somebody has just taken the new address: on the second try the two are kept apart.
    if (violatedConstraint(error) !== "contacts_email") throw error;
    return retryConflicts(confirm);
  });
  if (moved) await tellPrevious(db, asked, moved);
  return outcome;
}

/** Tells the previous address. If that mail cannot be sent, the change stands. */
async function tellPrevious(
  db: Database,
  { request, contact }: RequestRow,
  { previousEmail }: Moved,
): Promise<void> {
  try {
    await mailPerson(db, contact.projectId, previousEmail, {
      kind: "moved",
      link: (urls) => urls.undoAddress(request.id),
      languages: [languageIn(contact.data)],
    });
  } catch (error) {
    const { projectId } = contact;
    log.error({ projectId, code: errorCode(error) }, "A previous address could not be told.");
  }
}

/** Writes to the former contact again, where the new address was another's; the other keeps what it got. */
async function undoApart(tx: Transaction, row: RequestRow, evidence: Evidence) {
  const { id: contactId, projectId } = row.contact;
  const consent = await consentBefore(tx, row);
  if (consent === null) return "stale";
  await tx.update(contacts).set({ consent, updatedAt: now }).where(eq(contacts.id, contactId));
  const { id } = row.request;
  await tx.update(personRequests).set({ undoneAt: now }).where(eq(personRequests.id, id));
  const kept = await keepEvidence(tx, projectId, evidence);
  const change = { before: "unsubscribed", after: consent, listId: null } as const;
  const by = { origin: "link", actorId: null, ...kept } as const;
  await recordConsentChange(tx, { projectId, contactId, ...change }, by);
  if (consent === "subscribed") {
    await emitContactEvents(tx, projectId, [{ type: "contact.subscribed", contactId }]);
  }
  return "done";
}

/**
 * Undoes a change of address, and any later ones: somebody who got hold of a link must not win by changing the
 * address again. null when the token is not ours.
 */
export async function undoAddressChange(
  db: Database,
  token: string,
  evidence: Evidence,
): Promise<"done" | "stale" | null> {
  const link = readRequestLink(token);
  if (!link) return null;
  return retryConflicts(() =>
    db.transaction(async (tx) => {
      const row = await lockRequest(tx, link.requestId);
      if (!row) return "stale";
      const { request, contact, undoable } = row;
      if (request.undoneAt) return "done";
      const { previousEmail, keptApart, doneAt } = request;
      if (!undoable || previousEmail === null || doneAt === null) return "stale";
      if (keptApart) return undoApart(tx, row, evidence);
      const [taken] = await tx
        .select({ id: contacts.id })
        .from(contacts)
        .where(hasAddress(contact.projectId, previousEmail));
      if (taken && taken.id !== contact.id) return "stale";
      await sayWhoChanges(tx, { origin: "link" });
      await tx
        .update(contacts)
        .set({ email: previousEmail, updatedAt: now })
        .where(eq(contacts.id, contact.id));
      const later = await tx
        .select({ id: personRequests.id })
        .from(personRequests)
        .where(
          and(
            eq(personRequests.contactId, contact.id),
            eq(personRequests.kind, "address"),
            isNull(personRequests.undoneAt),
            gt(personRequests.doneAt, doneAt),
          ),
        );
      await tx
        .update(personRequests)
        .set({ undoneAt: now })
        .where(inArray(personRequests.id, [request.id, ...later.map(({ id }) => id)]));
      const { projectId, id: contactId } = contact;
      const kept = await keepEvidence(tx, projectId, evidence);
      const change = { kind: "address", before: null, after: "changed", listId: null } as const;
      await recordConsentChange(
        tx,
        { projectId, contactId, ...change },
        { origin: "link", actorId: null, ...kept },
      );
      await emitContactEvents(tx, projectId, [{ type: "contact.updated", contactId }]);
      return "done";
    }),
  );
}
