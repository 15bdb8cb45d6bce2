import { sql } from "drizzle-orm";
import PostalMime, { type Email } from "postal-mime";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page } from "@/lib/ground/paging/schema";
import type { CapturedEmail, CapturedQuery, CapturedSummary } from "./captured-schema";
import {
  attachmentAt,
  senderAndSubject,
  viewMessage,
  type AttachedFile,
} from "@/lib/mail/message/message-view";

/** Enough for any header: lists read no more of a message. */
const headBytes = 64 * 1024;

interface Row extends Record<string, unknown> {
  id: string;
  email_id: string | null;
  envelope_from: string;
  envelope_to: string;
  created_at: string;
  size: number;
  raw: Buffer;
}

/**
 * What the actor may see: the platform's own mail is for the person it went to. A session that a platform
 * token's link started does not get at it, since its links would open the person's other projects.
 */
function visibleTo({ projectId, actor, session }: Context) {
  const reader = session && !session.onlyProject ? actor.id : null;
  return sql`c.project_id = ${projectId}
    and (c.reader_user_id is null or c.reader_user_id = ${reader}::uuid)`;
}

function columns(raw: ReturnType<typeof sql>) {
  return sql`c.id, c.email_id, c.envelope_from, c.envelope_to, c.created_at,
    octet_length(c.raw) as size, ${raw} as raw`;
}

function toSummary(row: Row, message: Pick<CapturedEmail, "from" | "subject">): CapturedSummary {
  return {
    id: encodeId("capture", row.id),
    emailId: row.email_id === null ? null : encodeId("email", row.email_id),
    from: message.from,
    to: row.envelope_to,
    subject: message.subject,
    size: row.size,
    createdAt: new Date(row.created_at).toISOString(),
  };
}

/** The captured mailbox, newest first. */
export async function listCapturedEmails(
  ctx: Context,
  query: CapturedQuery,
): Promise<Page<CapturedSummary>> {
  requireRole(ctx, "viewer");
  const conditions = [visibleTo(ctx)];
  const after = readCursor(query.cursor);
  if (after) conditions.push(sql`c.id < ${after}`);
  if (query.search) {
    const pattern = `%${query.search.replace(/[\\%_]/g, "\\$&")}%`;
    conditions.push(sql`(c.envelope_to ilike ${pattern}
      or coalesce(e.subject, m.subject) ilike ${pattern})`);
  }
  const rows = await ctx.db.execute<Row>(sql`
    select ${columns(sql`substring(c.raw for ${headBytes})`)}
    from captured_emails c left join emails e on e.id = c.email_id
      left join messages m on m.id = e.message_id
    where ${sql.join(conditions, sql` and `)}
    order by c.id desc limit ${query.limit + 1}`);
  const parsed = new Map(
    await Promise.all(
      rows.map(
        async (row) =>
          [row.id, toSummary(row, senderAndSubject(await parseHead(row.raw)))] as const,
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

function parseHead(raw: Buffer): Promise<Email> {
  const end = raw.indexOf("\r\n\r\n");
  return PostalMime.parse(end < 0 ? raw : raw.subarray(0, end + 4));
}

async function findRow(ctx: Context, id: string): Promise<Row> {
  requireRole(ctx, "viewer");
  const uuid = decodeId("capture", id);
  if (!uuid) throw notFound();
  const [row] = await ctx.db.execute<Row>(sql`
    select ${columns(sql`c.raw`)} from captured_emails c
    where ${visibleTo(ctx)} and c.id = ${uuid}`);
  if (!row) throw notFound();
  return row;
}

/** One captured message, parsed. Throws NOT_FOUND. */
export async function getCapturedEmail(ctx: Context, id: string): Promise<CapturedEmail> {
  const row = await findRow(ctx, id);
  const message = await viewMessage(row.raw);
  return { ...message, ...toSummary(row, message), envelopeFrom: row.envelope_from };
}

/** A file that came with a captured message. Throws NOT_FOUND. */
export async function getCapturedAttachment(
  ctx: Context,
  id: string,
  position: number,
): Promise<AttachedFile> {
  const { raw } = await findRow(ctx, id);
  const file = await attachmentAt(raw, position);
  if (!file) throw notFound();
  return file;
}

/** Empties the captured mailbox of what the actor sees in it; the emails' records stay. */
export async function clearCapturedEmails(ctx: Context): Promise<void> {
  requireRole(ctx, "editor");
  await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`delete from captured_emails c where ${visibleTo(ctx)}`);
    await audit(tx, ctx, "clear.capturedEmails", encodeId("project", ctx.projectId));
  });
}
