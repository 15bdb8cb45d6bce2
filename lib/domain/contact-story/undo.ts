import { and, eq } from "drizzle-orm";
import { contactChanges } from "@/db/schema";
import { findContactRow, updateContact } from "@/lib/domain/contacts/contacts";
import { toContact } from "@/lib/domain/contacts/rows";
import type { Contact } from "@/lib/domain/contacts/schema";
import { ownedBy } from "@/lib/ground/by-id";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { undoOf } from "./undoable";

/**
 * Takes a change of a contact's fields or tags back, recorded as a change that does so. Consent is none of these.
 * Throws NOT_FOUND; CONFLICT when it has been taken back, or what it changed has been changed since. Needs editor.
 */
export async function undoChange(ctx: Context, id: string, changeId: string): Promise<Contact> {
  requireRole(ctx, "editor");
  const row = await findContactRow(ctx.db, ctx, id);
  const uuid = decodeId("contactChange", changeId);
  if (!uuid) throw notFound();
  const ofContact = and(
    eq(contactChanges.contactId, row.id),
    ownedBy(contactChanges.projectId, ctx.projectId),
  );
  const [[change], [later]] = await Promise.all([
    ctx.db
      .select()
      .from(contactChanges)
      .where(and(ofContact, eq(contactChanges.id, uuid))),
    ctx.db
      .select({ id: contactChanges.id })
      .from(contactChanges)
      .where(and(ofContact, eq(contactChanges.undoes, uuid)))
      .limit(1),
  ]);
  if (!change) throw notFound();
  if (later) throw new AppError("CONFLICT", "The change has been undone already.");
  const contact = toContact(row);
  const update = undoOf(contact, change.before, change.after);
  if (!update) {
    throw new AppError("CONFLICT", "What it changed has been changed since, so it stays.");
  }
  // Whoever changes the contact between our look and our write is not overwritten.
  const basedOn = contact.updatedAt;
  return updateContact(ctx, encodeId("contact", row.id), { ...update, basedOn }, uuid);
}
