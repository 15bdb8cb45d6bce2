import { eq, inArray } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { contacts, emails, inboundEmails, messages } from "@/db/schema";
import { encodeId } from "@/lib/ground/ids/ids";
import { longestKeptText } from "@/lib/mail/incoming/read";
import { linked } from "./attachment-links";

function readRows(executor: Executor, ids: string[]) {
  return executor
    .select({
      mail: {
        id: inboundEmails.id,
        emailId: inboundEmails.emailId,
        headerId: inboundEmails.headerId,
        inReplyTo: inboundEmails.inReplyTo,
        references: inboundEmails.references,
        fromEmail: inboundEmails.fromEmail,
        fromName: inboundEmails.fromName,
        recipients: inboundEmails.recipients,
        subject: inboundEmails.subject,
        text: inboundEmails.text,
        html: inboundEmails.html,
        automatic: inboundEmails.automatic,
        checks: inboundEmails.checks,
        attachments: inboundEmails.attachments,
        size: inboundEmails.size,
      },
      contactId: contacts.id,
      contactEmail: contacts.email,
      campaignId: emails.campaignId,
      metadata: messages.metadata,
    })
    .from(inboundEmails)
    .leftJoin(contacts, eq(contacts.id, inboundEmails.contactId))
    .leftJoin(emails, eq(emails.id, inboundEmails.emailId))
    .leftJoin(messages, eq(messages.id, emails.messageId))
    .where(inArray(inboundEmails.id, ids));
}

/**
 * `data` of email.received, by the mail's uuid: what it says and, about the email it answers, what every email event says. Mail that has since been deleted is left out.
 */
export async function receivedData(
  executor: Executor,
  ids: string[],
): Promise<Map<string, Record<string, unknown>>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows(executor, ids);
  return new Map(
    rows.map(({ mail, contactId, contactEmail, campaignId, metadata }) => [
      mail.id,
      {
        id: encodeId("inbound", mail.id),
        emailId: mail.emailId && encodeId("email", mail.emailId),
        messageId: mail.headerId,
        contact: contactId ? { id: encodeId("contact", contactId), email: contactEmail } : null,
        campaignId: campaignId && encodeId("campaign", campaignId),
        metadata: metadata ?? {},
        from: { email: mail.fromEmail, name: mail.fromName },
        to: mail.recipients,
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        truncated: Math.max(mail.text.length, mail.html?.length ?? 0) >= longestKeptText,
        inReplyTo: mail.inReplyTo,
        references: mail.references,
        automatic: mail.automatic,
        checks: mail.checks,
        attachments: linked(mail.id, mail.attachments),
        size: mail.size,
      },
    ]),
  );
}
