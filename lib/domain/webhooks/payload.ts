import { sql } from "drizzle-orm";
import { executePrepared, type Executor } from "@/db/client";
import { emails, messages, relayedMessages } from "@/db/schema";
import { personOf } from "@/lib/domain/contact-states/merged";
import { receivedData } from "@/lib/domain/inbound/payload";
import { toContact, type ContactRow } from "@/lib/domain/contacts/rows";
import { messageIdOf } from "@/lib/mail/message/message-id";
import { encodeId } from "@/lib/ground/ids/ids";

/** The part of a delivery's row that the payload is made from. */
export interface StoredEvent {
  event: string;
  subjectId: string | null;
  data: Record<string, unknown>;
  createdAt: Date;
}

/** The body that goes out. */
export interface WebhookPayload {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** What is told of an event. */
interface Told {
  payload: WebhookPayload;
  /** Whom it is about has been deleted for good, or the mail that came in. */
  aboutErased: boolean;
}

interface EmailRow extends Record<string, unknown> {
  id: string;
  recipient: string | null;
  contact_id: string | null;
  campaign_id: string | null;
  from_email: string;
  /** The Message-ID that a relay's client gave it. */
  header_id: string | null;
  metadata: Record<string, string> | null;
}

async function readEmails(executor: Executor, ids: string[]): Promise<Map<string, EmailRow>> {
  if (ids.length === 0) return new Map();
  const rows = await executePrepared<EmailRow>(
    executor,
    sql`
    select ${emails.id}, ${emails.recipient}, ${personOf(emails.contactId)} as contact_id, ${emails.campaignId},
      ${messages.fromEmail}, ${messages.metadata}, ${relayedMessages.headerId}
    from ${emails} join ${messages} on ${messages.id} = ${emails.messageId}
      left join ${relayedMessages} on ${relayedMessages.messageId} = ${messages.id}
    where ${emails.id} = any(${sql.param(ids)}::uuid[])`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function emailData(id: string, row: EmailRow | undefined): Record<string, unknown> {
  return {
    emailId: encodeId("email", id),
    messageId: row ? (row.header_id ?? messageIdOf(id, row.from_email)) : null,
    contact:
      row?.contact_id && row.recipient
        ? { id: encodeId("contact", row.contact_id), email: row.recipient }
        : null,
    campaignId: row?.campaign_id ? encodeId("campaign", row.campaign_id) : null,
    metadata: row?.metadata ?? {},
  };
}

/** Once the contact is deleted for good, only its id is left. */
function contactData(
  id: string,
  { more, ...row }: Partial<ContactRow> & { more?: Record<string, unknown> },
): Record<string, unknown> {
  return row.email === undefined
    ? { id: encodeId("contact", id) }
    : { ...toContact(row as ContactRow), ...more };
}

/**
 * The bodies that deliveries go out with, in their order. Emails, and mail that came in, are looked up, so that none of
 * them names a person who was deleted meanwhile.
 */
export async function payloadsOf(
  executor: Executor,
  events: readonly StoredEvent[],
): Promise<Told[]> {
  const subjectsOf = (concerns: (event: string) => boolean) => [
    ...new Set(
      events.flatMap(({ event, subjectId }) => (subjectId && concerns(event) ? [subjectId] : [])),
    ),
  ];
  const isReceived = (event: string) => event === "email.received";
  const received = await receivedData(executor, subjectsOf(isReceived));
  const emailRows = await readEmails(
    executor,
    subjectsOf((event) => event.startsWith("email.") && !isReceived(event)),
  );
  const dataOf = ({ event, subjectId, data }: StoredEvent) => {
    if (subjectId && isReceived(event)) {
      return received.get(subjectId) ?? { id: encodeId("inbound", subjectId) };
    }
    if (subjectId && event.startsWith("contact.")) return contactData(subjectId, data);
    if (subjectId && event.startsWith("email.")) {
      return { ...emailData(subjectId, emailRows.get(subjectId)), ...data };
    }
    return data;
  };
  const isErased = ({ event, subjectId, data }: StoredEvent) => {
    if (!subjectId) return event === "contact.deleted" && data["mergedInto"] === undefined;
    if (isReceived(event)) return !received.has(subjectId);
    if (event.startsWith("contact.")) return data["email"] === undefined;
    return event.startsWith("email.") && !emailRows.get(subjectId)?.recipient;
  };
  return events.map((stored) => ({
    payload: {
      type: stored.event,
      timestamp: stored.createdAt.toISOString(),
      data: dataOf(stored),
    },
    aboutErased: isErased(stored),
  }));
}
