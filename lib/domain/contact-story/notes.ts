import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Executor, Transaction } from "@/db/client";
import { apiKeys, contactNotes, users } from "@/db/schema";
import { findContactRow } from "@/lib/domain/contacts/contacts";
import { audit } from "@/lib/ground/audit";
import { authorOf, isAuthor, isAuthorKey } from "@/lib/ground/author";
import { hasRole, requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page, PageQuery } from "@/lib/ground/paging/schema";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";
import type { ContactNote, NoteInput, NoteUpdate } from "./schema";

const lockForNote = sql`for no key update`;

/** Whose note it would be. */
function noteAuthor(ctx: Context) {
  const author = authorOf(ctx);
  if (author.authorType === null) throw new Error("The product itself writes no notes.");
  return author;
}

/** A project's keys are one author: an application goes on with its notes when its key is rotated. */
const isBy = (note: typeof contactNotes.$inferSelect, ctx: Context) => {
  const { authorType, authorId } = authorOf(ctx);
  if (note.authorType !== authorType) return false;
  return authorType === "apiKey" || note.authorId === authorId;
};

const selectNotes = (executor: Executor) =>
  executor
    .select({ note: contactNotes, person: users.email, key: apiKeys.name })
    .from(contactNotes)
    .leftJoin(users, isAuthor(contactNotes))
    .leftJoin(apiKeys, isAuthorKey(contactNotes));
type Row = Awaited<ReturnType<typeof selectNotes>>[number];

function toNote(ctx: Context, { note, person, key }: Row): ContactNote {
  const { authorType, authorId } = note;
  return {
    id: encodeId("contactNote", note.id),
    text: note.text,
    author: { type: authorType, id: encodeId(authorType, authorId), name: person ?? key },
    own: isBy(note, ctx),
    createdAt: note.createdAt.toISOString(),
    updatedAt: note.updatedAt.toISOString(),
  };
}

const ofContact = (ctx: Context, contactId: string) =>
  and(eq(contactNotes.projectId, ctx.projectId), eq(contactNotes.contactId, contactId));

/** What members have noted about a contact (id or address), newest first. Throws NOT_FOUND. Needs viewer. */
export async function listNotes(
  ctx: Context,
  contactId: string,
  query: PageQuery,
): Promise<Page<ContactNote>> {
  requireRole(ctx, "viewer");
  const before = readCursor(query.cursor);
  const contact = await findContactRow(ctx.db, ctx, contactId);
  const rows = await selectNotes(ctx.db)
    .where(and(ofContact(ctx, contact.id), before ? lt(contactNotes.id, before) : undefined))
    .orderBy(desc(contactNotes.id))
    .limit(query.limit + 1);
  return pageOf(
    rows,
    query.limit,
    (row) => toNote(ctx, row),
    ({ note }) => note.id,
  );
}

async function readNote(tx: Transaction, ctx: Context, id: string): Promise<ContactNote> {
  const [row] = await selectNotes(tx).where(eq(contactNotes.id, id));
  if (!row) throw notFound();
  return toNote(ctx, row);
}

/** Throws NOT_FOUND. Needs editor. */
export async function addNote(
  ctx: Context,
  contactId: string,
  { text }: NoteInput,
): Promise<ContactNote> {
  requireRole(ctx, "editor");
  return ctx.db.transaction(async (tx) => {
    // Locked, so that a note never outlives a contact that is being deleted.
    const contact = await findContactRow(tx, ctx, contactId, lockForNote);
    const id = newId(ctx.projectId);
    const of = { id, projectId: ctx.projectId, contactId: contact.id };
    await tx.insert(contactNotes).values({ ...of, text, ...noteAuthor(ctx) });
    await audit(tx, ctx, "create.contactNote", encodeId("contact", contact.id));
    return readNote(tx, ctx, id);
  });
}

/** The note, locked after its contact. Throws NOT_FOUND. */
async function lockNote(tx: Transaction, ctx: Context, contactId: string, id: string) {
  const contact = await findContactRow(tx, ctx, contactId, lockForNote);
  const uuid = decodeId("contactNote", id);
  if (!uuid) throw notFound();
  const [note] = await tx
    .select()
    .from(contactNotes)
    .where(and(ofContact(ctx, contact.id), eq(contactNotes.id, uuid)))
    .for("update");
  if (!note) throw notFound();
  return note;
}

/** Throws NOT_FOUND; NOT_ALLOWED for somebody else's; CONFLICT when it was changed since `basedOn`. Needs editor. */
export async function updateNote(
  ctx: Context,
  contactId: string,
  id: string,
  { text, basedOn }: NoteUpdate,
): Promise<ContactNote> {
  requireRole(ctx, "editor");
  return ctx.db.transaction(async (tx) => {
    const note = await lockNote(tx, ctx, contactId, id);
    if (!isBy(note, ctx)) throw new AppError("NOT_ALLOWED", "Only its author may edit a note.");
    refuseStale(basedOn, note.updatedAt);
    await tx
      .update(contactNotes)
      .set({ text, updatedAt: laterThan(contactNotes.updatedAt) })
      .where(eq(contactNotes.id, note.id));
    await audit(tx, ctx, "update.contactNote", encodeId("contact", note.contactId));
    return readNote(tx, ctx, note.id);
  });
}

/** Throws NOT_FOUND; NOT_ALLOWED for somebody else's, unless the caller is an admin. Needs editor. */
export async function deleteNote(ctx: Context, contactId: string, id: string): Promise<void> {
  requireRole(ctx, "editor");
  await ctx.db.transaction(async (tx) => {
    const note = await lockNote(tx, ctx, contactId, id);
    if (!isBy(note, ctx) && !hasRole(ctx, "admin")) {
      throw new AppError("NOT_ALLOWED", "Only its author or an admin may delete a note.");
    }
    await tx.delete(contactNotes).where(eq(contactNotes.id, note.id));
    await audit(tx, ctx, "delete.contactNote", encodeId("contact", note.contactId));
  });
}
