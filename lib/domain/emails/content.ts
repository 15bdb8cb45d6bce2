import { sql } from "drizzle-orm";
import { z } from "zod";
import type { EmailSource } from "@/db/enums";
import { requireRole, type Context } from "@/lib/ground/context";
import type { AddressedEmail } from "@/lib/mail/content/addressed-email";
import { composeContent } from "@/lib/mail/content/compose-content";
import { MessageContents } from "@/lib/mail/content/message-contents";
import { buildEmail } from "@/lib/mail/content/build-email";
import { isAppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import {
  attachmentAt,
  messageView,
  viewMessage,
  type AttachedFile,
} from "@/lib/mail/message/message-view";

export const emailContent = z
  .object({
    message: messageView.nullable().meta({ description: "null: it cannot be made, see problem." }),
    capturedId: z.string().nullable().meta({
      description:
        "The captured message this is, byte for byte. null: made again from what is stored today.",
    }),
    problem: z.string().nullable(),
  })
  .meta({ id: "EmailContent" });
export type EmailContent = z.infer<typeof emailContent>;

interface Row extends Record<string, unknown> {
  message_id: string;
  campaign_id: string | null;
  recipient: string | null;
  recipient_name: string | null;
  source: EmailSource;
  created_at: string;
  contact_email: string | null;
  first_name: string | null;
  last_name: string | null;
  tags: string[] | null;
  data: Record<string, unknown> | null;
  list_fields: Record<string, string> | null;
  captured_id: string | null;
  raw: Buffer | null;
}

/** A whole message, or why there is none. */
type Raw = { raw: Buffer; capturedId: string | null } | { raw: null; problem: string };

function without(problem: string): Raw {
  return { raw: null, problem };
}

function addressed(ctx: Context, id: string, row: Row & { recipient: string }): AddressedEmail {
  return {
    id,
    projectId: ctx.projectId,
    messageId: row.message_id,
    campaignId: row.campaign_id,
    recipient: row.recipient,
    recipientName: row.recipient_name ?? "",
    source: row.source,
    createdAt: new Date(row.created_at),
    contact:
      row.contact_email === null
        ? null
        : {
            email: row.contact_email,
            firstName: row.first_name ?? "",
            lastName: row.last_name ?? "",
            tags: row.tags ?? [],
            data: row.data ?? {},
          },
    listFields: row.list_fields,
  };
}

/**
 * What one person got, or will get: the captured message where there is one, else made by the code that
 * sends, with the contact as it is today. Throws NOT_FOUND.
 */
async function readRaw(ctx: Context, id: string): Promise<Raw> {
  requireRole(ctx, "viewer");
  const uuid = decodeId("email", id);
  if (!uuid) throw notFound();
  const [row] = await ctx.db.execute<Row>(sql`
    select e.message_id, e.campaign_id, e.recipient, e.recipient_name, e.source, e.created_at,
      c.email as contact_email, c.first_name, c.last_name, c.tags, c.data,
      s.fields as list_fields, k.id as captured_id, k.raw
    from emails e left join contacts c on c.id = e.contact_id
      left join campaigns p on p.id = e.campaign_id
      left join subscribers s on s.list_id = p.list_id and s.contact_id = e.contact_id
      left join captured_emails k on k.email_id = e.id
    where e.project_id = ${ctx.projectId} and e.id = ${uuid}`);
  if (!row) throw notFound();
  if (row.captured_id !== null && row.raw !== null) {
    return { raw: row.raw, capturedId: encodeId("capture", row.captured_id) };
  }
  const { recipient } = row;
  if (recipient === null) {
    return without("The contact was deleted for good, and with it what the email said.");
  }
  const contents = new MessageContents(ctx.db);
  const content = await contents.get(row.message_id);
  if (!content) return without("The message was deleted.");
  const email = addressed(ctx, uuid, { ...row, recipient });
  try {
    const composed = await composeContent(content, email, contents);
    return { raw: await buildEmail(email, content, composed, contents), capturedId: null };
  } catch (error) {
    if (isAppError(error)) return without(error.message);
    throw error;
  }
}

/** The message as a mail client shows it, or why there is none to show. Throws NOT_FOUND. */
export async function getEmailContent(ctx: Context, id: string): Promise<EmailContent> {
  const found = await readRaw(ctx, id);
  if (found.raw === null) return { message: null, capturedId: null, problem: found.problem };
  return { message: await viewMessage(found.raw), capturedId: found.capturedId, problem: null };
}

/** A file that came with the message. Throws NOT_FOUND, for a message that cannot be made, too. */
export async function getEmailAttachment(
  ctx: Context,
  id: string,
  position: number,
): Promise<AttachedFile> {
  const { raw } = await readRaw(ctx, id);
  const file = raw && (await attachmentAt(raw, position));
  if (!file) throw notFound();
  return file;
}
