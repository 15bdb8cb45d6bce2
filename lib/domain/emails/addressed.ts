import { sql, type SQL } from "drizzle-orm";
import type { EmailSource, SubscriberSource } from "@/db/enums";
import { fixed } from "@/db/names";
import { consentChanges, contacts, emails, subscribers } from "@/db/schema";
import type { AddressedEmail } from "@/lib/mail/content/addressed-email";

/** The columns of an email and its person that its message is made from. */
export interface AddressedRow extends Record<string, unknown> {
  id: string;
  project_id: string;
  message_id: string;
  campaign_id: string | null;
  /** null: the person was deleted for good. */
  recipient: string | null;
  recipient_name: string | null;
  source: EmailSource;
  created_at: string;
  sent_at: string | null;
  contact_email: string | null;
  first_name: string | null;
  last_name: string | null;
  tags: string[] | null;
  data: Record<string, unknown> | null;
  list_fields: Record<string, string> | null;
  joined_by: SubscriberSource | null;
}

/** Select items of AddressedRow that are the email's own. */
export const addressedEmailColumns =
  fixed(sql`${emails.id}, ${emails.projectId}, ${emails.messageId},
  ${emails.campaignId}, ${emails.recipient}, ${emails.recipientName}, ${emails.source},
  ${emails.createdAt}, ${emails.sentAt}`);

/**
 * How the person came to receive everything the project sends, from their history up to this email; null without
 * one. A look-up by the history's key, in the statement that reads the email anyway.
 */
const cameBy = (email: SQL) => sql`(
  select case
    when ${consentChanges.formId} is not null
      or ${consentChanges.origin} in ('link', 'oneClick', 'confirmation') then 'form'
    when ${consentChanges.origin} = 'user' then 'added'
    when ${consentChanges.origin} = 'import' then 'import'
    when ${consentChanges.origin} in ('apiKey', 'platformToken') then 'api'
  end
  from ${consentChanges}
  where ${consentChanges.projectId} = ${email}.project_id
    and ${consentChanges.contactId} = ${email}.contact_id
    and ${consentChanges.listId} is null and ${consentChanges.kind} = 'subscription'
    and ${consentChanges.after} = 'subscribed' and ${consentChanges.createdAt} <= ${email}.created_at
  order by ${consentChanges.id} desc limit 1)`;

/**
 * Those of its person: of the contact, and of the subscriber to the campaign's list.
 *
 * @param email the relation with the columns of emails
 * @param listId the campaign's
 */
export const addressedPersonColumns = (email: SQL, listId: SQL): SQL =>
  fixed(sql`${contacts.email} as contact_email,
  ${contacts.firstName}, ${contacts.lastName}, ${contacts.tags}, ${contacts.data},
  ${subscribers.fields} as list_fields, case when ${email}.campaign_id is null then null
    when ${listId} is null then ${cameBy(email)} else ${subscribers.source} end as joined_by`);

export function toAddressedEmail(row: AddressedRow & { recipient: string }): AddressedEmail {
  return {
    id: row.id,
    projectId: row.project_id,
    messageId: row.message_id,
    campaignId: row.campaign_id,
    recipient: row.recipient,
    recipientName: row.recipient_name ?? "",
    source: row.source,
    createdAt: new Date(row.created_at),
    date: new Date(row.sent_at ?? row.created_at),
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
    joinedBy: row.joined_by,
  };
}
