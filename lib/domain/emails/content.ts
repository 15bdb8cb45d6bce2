import { sql } from "drizzle-orm";
import { z } from "zod";
import { campaigns, capturedEmails, contacts, emails, subscribers } from "@/db/schema";
import { personOf } from "@/lib/domain/contact-states/merged";
import { requireRole, type Context } from "@/lib/ground/context";
import { composeContent } from "@/lib/mail/content/compose-content";
import { MessageContents } from "@/lib/mail/content/message-contents";
import { buildEmail } from "@/lib/mail/content/build-email";
import { isAppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import {
  addressedEmailColumns,
  addressedPersonColumns,
  toAddressedEmail,
  type AddressedRow,
} from "./addressed";
import { attachmentAt, viewMessage, type AttachedFile } from "@/lib/mail/message/message-view";
import { messageView } from "@/lib/mail/message/view-schema";

export const emailContent = z
  .object({
    message: messageView
      .nullable()
      .meta({ description: "null when it cannot be rebuilt; see `problem`." }),
    capturedId: z.string().nullable().meta({
      description:
        "The id of the captured message that this is, byte for byte. null when it was rebuilt from what is stored today.",
    }),
    problem: z.string().nullable(),
  })
  .meta({ id: "EmailContent" });
export type EmailContent = z.infer<typeof emailContent>;

interface Row extends AddressedRow {
  captured_id: string | null;
  raw: Buffer | null;
}

/** A whole message, or why there is none. */
type Raw = { raw: Buffer; capturedId: string | null } | { raw: null; problem: string };

function without(problem: string): Raw {
  return { raw: null, problem };
}

/**
 * What one person got, or will get: the captured message if there is one, otherwise built by the code that sends,
 * with the contact as it is today. Throws NOT_FOUND.
 */
async function readRaw(ctx: Context, id: string): Promise<Raw> {
  requireRole(ctx, "viewer");
  const uuid = decodeId("email", id);
  if (!uuid) throw notFound();
  const [row] = await ctx.db.execute<Row>(sql`
    select ${addressedEmailColumns}, ${addressedPersonColumns(sql`${emails}`, sql`${campaigns.listId}`)},
      ${capturedEmails.id} as captured_id, ${capturedEmails.raw}
    from ${emails} left join ${contacts} on ${contacts.id} = ${personOf(emails.contactId)}
      left join ${campaigns} on ${campaigns.id} = ${emails.campaignId}
      left join ${subscribers} on ${subscribers.listId} = ${campaigns.listId}
        and ${subscribers.contactId} = ${contacts.id}
      left join ${capturedEmails} on ${capturedEmails.emailId} = ${emails.id}
    where ${emails.projectId} = ${ctx.projectId} and ${emails.id} = ${uuid}`);
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
  const email = toAddressedEmail({ ...row, recipient });
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
  const rawEmail = await readRaw(ctx, id);
  if (rawEmail.raw === null) return { message: null, capturedId: null, problem: rawEmail.problem };
  return {
    message: await viewMessage(rawEmail.raw),
    capturedId: rawEmail.capturedId,
    problem: null,
  };
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
