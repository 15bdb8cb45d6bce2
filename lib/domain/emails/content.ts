import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { z } from "zod";
import {
  campaigns,
  capturedEmails,
  contacts,
  emails,
  mailAboutContacts,
  messages,
  subscribers,
} from "@/db/schema";
import { personOf } from "@/lib/domain/contact-states/merged";
import { byId } from "@/lib/ground/by-id";
import { requireRole, type Context } from "@/lib/ground/context";
import { t } from "@/lib/ground/texts/t";
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
import type { AddressedEmail } from "@/lib/mail/content/addressed-email";
import { withinMemory } from "@/lib/mail/content/mail-memory";
import { fileOfMail, viewWholeMail } from "@/lib/mail/incoming/incoming";
import { withViewMemory } from "@/lib/mail/incoming/view-memory";
import type { AttachedFile } from "@/lib/mail/message/message-view";
import { withCapturedRaw } from "./captured";
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
  captured_size: number | null;
  content_gone: boolean | null;
  /** It told others of somebody who is no contact any more. */
  about_erased: boolean;
}

const person = alias(contacts, "person");

/** What was made of a whole message, or why there is none. */
type Handled<Result> = { result: Result; capturedId: string | null } | { problem: string };

/**
 * What one person got, or will get: the captured message if there is one, otherwise built by the code that sends,
 * with the contact as it is today. Hands it to `handle`; projects take turns. Throws NOT_FOUND.
 */
async function withRaw<Result>(
  ctx: Context,
  id: string,
  handle: (raw: Buffer) => Promise<Result>,
): Promise<Handled<Result>> {
  requireRole(ctx, "viewer");
  const uuid = decodeId("email", id);
  if (!uuid) throw notFound();
  const [row] = await ctx.db.execute<Row>(sql`
    select ${addressedEmailColumns}, ${addressedPersonColumns(sql`${emails}`, sql`${campaigns.listId}`)},
      ${capturedEmails.id} as captured_id, octet_length(${capturedEmails.raw}) as captured_size,
      (select ${messages.contentDeletedAt} is not null from ${messages}
        where ${messages.id} = ${emails.messageId}) as content_gone,
      exists (select from ${mailAboutContacts}
        where ${mailAboutContacts.messageId} = ${emails.messageId} and not exists (
          select from ${contacts} ${person} where ${person.id} = ${personOf(mailAboutContacts.contactId)}
        )) as about_erased
    from ${emails} left join ${contacts} on ${contacts.id} = ${personOf(emails.contactId)}
      left join ${campaigns} on ${campaigns.id} = ${emails.campaignId}
      left join ${subscribers} on ${subscribers.listId} = ${campaigns.listId}
        and ${subscribers.contactId} = ${contacts.id}
      left join ${capturedEmails} on ${capturedEmails.emailId} = ${emails.id}
    where ${byId(emails, ctx.projectId, uuid)}`);
  if (!row) throw notFound();
  if (row.captured_id !== null && row.captured_size !== null) {
    const captured = { id: row.captured_id, size: row.captured_size };
    const result = await withCapturedRaw(ctx, captured, handle);
    return { result, capturedId: encodeId("capture", row.captured_id) };
  }
  const { recipient } = row;
  if (recipient === null || (row.content_gone && row.about_erased)) {
    return { problem: t("The contact was deleted for good, and with it what the email said.") };
  }
  if (row.content_gone) {
    return { problem: t("What it said was deleted: the project keeps contents no longer.") };
  }
  return withBuilt(ctx, toAddressedEmail({ ...row, recipient }), handle);
}

async function withBuilt<Result>(
  ctx: Context,
  email: AddressedEmail,
  handle: (raw: Buffer) => Promise<Result>,
): Promise<Handled<Result>> {
  const contents = new MessageContents(ctx.db);
  const content = await contents.get(email.messageId);
  if (!content) return { problem: t("The message was deleted.") };
  return withViewMemory(ctx.projectId, async (memory) => {
    try {
      const composed = await withinMemory(content, memory, () =>
        composeContent(content, email, contents),
      );
      const raw = await buildEmail(email, content, composed, contents);
      return { result: await handle(raw), capturedId: null };
    } catch (error) {
      if (isAppError(error)) return { problem: error.message };
      throw error;
    }
  });
}

/** The message as a mail client shows it, or why there is none to show. Throws NOT_FOUND. */
export async function getEmailContent(ctx: Context, id: string): Promise<EmailContent> {
  const handled = await withRaw(ctx, id, (raw) => viewWholeMail(ctx.projectId, raw));
  return "problem" in handled
    ? { message: null, capturedId: null, problem: handled.problem }
    : { message: handled.result, capturedId: handled.capturedId, problem: null };
}

/** A file that came with the message. Throws NOT_FOUND, for a message that cannot be made, too. */
export async function getEmailAttachment(
  ctx: Context,
  id: string,
  position: number,
): Promise<AttachedFile> {
  const handled = await withRaw(ctx, id, (raw) => fileOfMail(ctx.projectId, raw, position));
  const file = "problem" in handled ? null : handled.result;
  if (!file) throw notFound();
  return file;
}
