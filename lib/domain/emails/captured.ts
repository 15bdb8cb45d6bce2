import { and, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import PostalMime, { type Email } from "postal-mime";
import { capturedEmails, emails, messages } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import { containing } from "@/lib/ground/paging/like";
import type { Page } from "@/lib/ground/paging/schema";
import { readStoredBytes } from "@/lib/ground/stored-bytes";
import type { CapturedEmail, CapturedQuery, CapturedSummary } from "./captured-schema";
import { fileOfMail, viewWholeMail } from "@/lib/mail/incoming/incoming";
import { withViewMemory } from "@/lib/mail/incoming/view-memory";
import { senderAndSubject, type AttachedFile } from "@/lib/mail/message/message-view";

/** Enough for any header: lists read only this much of a message. */
const headBytes = 64 * 1024;
/** Of a field of the header that lists show. Reading whole heads takes milliseconds each, for a hundred at once. */
const longestField = 4_000;

type Row = Pick<
  typeof capturedEmails.$inferSelect,
  "id" | "emailId" | "envelopeFrom" | "envelopeTo" | "createdAt"
> & { size: number };

/**
 * What the actor may see: the platform's own mail is only for the person it went to. A session started by a
 * platform token's link cannot reach it, since the links in it would open the person's other projects.
 */
function visibleTo({ projectId, actor, session }: Context) {
  const reader = session && !session.onlyProject ? actor.id : null;
  const { readerUserId } = capturedEmails;
  return sql`${capturedEmails.projectId} = ${projectId}
    and (${readerUserId} is null or ${readerUserId} = ${reader}::uuid)`;
}

const rowColumns = {
  id: capturedEmails.id,
  emailId: capturedEmails.emailId,
  envelopeFrom: capturedEmails.envelopeFrom,
  envelopeTo: capturedEmails.envelopeTo,
  createdAt: capturedEmails.createdAt,
  size: sql<number>`octet_length(${capturedEmails.raw})`,
};

function toSummary(row: Row, message: Pick<CapturedEmail, "from" | "subject">): CapturedSummary {
  return {
    id: encodeId("capture", row.id),
    emailId: row.emailId === null ? null : encodeId("email", row.emailId),
    from: message.from,
    to: row.envelopeTo,
    subject: message.subject,
    size: row.size,
    createdAt: row.createdAt.toISOString(),
  };
}

/** The captured mailbox, newest first. */
export async function listCapturedEmails(
  ctx: Context,
  query: CapturedQuery,
): Promise<Page<CapturedSummary>> {
  requireRole(ctx, "viewer");
  const conditions: SQL[] = [visibleTo(ctx)];
  const after = readCursor(query.cursor);
  if (after) conditions.push(lt(capturedEmails.id, after));
  if (query.search) {
    const pattern = containing(query.search);
    conditions.push(sql`(${capturedEmails.envelopeTo} ilike ${pattern}
      or coalesce(${emails.subject}, ${messages.subject}) ilike ${pattern})`);
  }
  const rows = await ctx.db
    .select({
      ...rowColumns,
      head: sql<Buffer>`substring(${capturedEmails.raw} for ${headBytes})`,
    })
    .from(capturedEmails)
    .leftJoin(emails, eq(emails.id, capturedEmails.emailId))
    .leftJoin(messages, eq(messages.id, emails.messageId))
    .where(and(...conditions))
    .orderBy(desc(capturedEmails.id))
    .limit(query.limit + 1);
  const parsed = new Map(
    await Promise.all(
      rows.map(
        async (row) =>
          [row.id, toSummary(row, senderAndSubject(await parseShown(row.head)))] as const,
      ),
    ),
  );
  return pageOf(
    rows,
    query.limit,
    (row) => {
      const summary = parsed.get(row.id);
      if (!summary) throw new Error("A row was not parsed.");
      return summary;
    },
    (row) => row.id,
  );
}

/** Of a message's head, what lists show. */
function parseShown(raw: Buffer): Promise<Email> {
  const end = raw.indexOf("\r\n\r\n");
  const head = raw.subarray(0, end < 0 ? raw.length : end).toString("latin1");
  const shown = head
    .split(/\r\n(?![ \t])/)
    .filter((field) => /^(from|subject):/i.test(field))
    .map((field) => field.slice(0, longestField));
  return PostalMime.parse(Buffer.from(`${shown.join("\r\n")}\r\n\r\n`, "latin1"));
}

async function findRow(ctx: Context, id: string): Promise<Row> {
  requireRole(ctx, "viewer");
  const uuid = decodeId("capture", id);
  if (!uuid) throw notFound();
  const [row] = await ctx.db
    .select(rowColumns)
    .from(capturedEmails)
    .where(and(visibleTo(ctx), eq(capturedEmails.id, uuid)));
  if (!row) throw notFound();
  return row;
}

/** Reads a whole captured message (uuid) and hands it to `handle`; projects take turns. Throws NOT_FOUND. */
export async function withCapturedRaw<Result>(
  ctx: Context,
  { id, size }: Pick<Row, "id" | "size">,
  handle: (raw: Buffer) => Promise<Result>,
): Promise<Result> {
  return withViewMemory(ctx.projectId, async (memory) => {
    await memory.hold(size);
    const raw = await readStoredBytes(ctx.db, capturedEmails.raw, {
      where: eq(capturedEmails.id, id),
      size,
    });
    if (!raw) throw notFound();
    return handle(raw);
  });
}

/** One captured message, parsed. Throws NOT_FOUND. */
export async function getCapturedEmail(ctx: Context, id: string): Promise<CapturedEmail> {
  const row = await findRow(ctx, id);
  const message = await withCapturedRaw(ctx, row, (raw) => viewWholeMail(ctx.projectId, raw));
  return { ...message, ...toSummary(row, message), envelopeFrom: row.envelopeFrom };
}

/** A file that came with a captured message. Throws NOT_FOUND. */
export async function getCapturedAttachment(
  ctx: Context,
  id: string,
  position: number,
): Promise<AttachedFile> {
  const file = await withCapturedRaw(ctx, await findRow(ctx, id), (raw) =>
    fileOfMail(ctx.projectId, raw, position),
  );
  if (!file) throw notFound();
  return file;
}

/** Deletes what the actor sees in the captured mailbox; the emails' records stay. */
export async function clearCapturedEmails(ctx: Context): Promise<void> {
  requireRole(ctx, "editor");
  await ctx.db.transaction(async (tx) => {
    await tx.delete(capturedEmails).where(visibleTo(ctx));
    await audit(tx, ctx, "clear.capturedEmails", encodeId("project", ctx.projectId));
  });
}

/** Deletes one message that the actor sees there; its email's record stays. Throws NOT_FOUND. Needs editor. */
export async function deleteCapturedEmail(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  const uuid = decodeId("capture", id);
  if (!uuid) throw notFound();
  await ctx.db.transaction(async (tx) => {
    const deleted = await tx
      .delete(capturedEmails)
      .where(and(visibleTo(ctx), eq(capturedEmails.id, uuid)))
      .returning({ id: capturedEmails.id });
    if (deleted.length === 0) throw notFound();
    await audit(tx, ctx, "delete.capturedEmail", id);
  });
}
