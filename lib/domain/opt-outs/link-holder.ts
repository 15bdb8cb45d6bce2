import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { readContactToken, readRecipientToken } from "@/lib/mail/tracking/tokens";

/** Who holds a link, and by which mail (uuids). */
export interface Recipient {
  projectId: string;
  contactId: string;
  /** null: the link stands for the person alone. */
  emailId: string | null;
  /** The list the mail was sent to; null: none. */
  listId: string | null;
}

interface Row extends Record<string, unknown> {
  project_id: string;
  contact_id: string | null;
  list_id: string | null;
}

/** By an email's uuid; `deleted`: the person was deleted for good; null: there is no such email. */
export async function findRecipientOfEmail(
  executor: Executor,
  emailId: string,
): Promise<Recipient | "deleted" | null> {
  const [row] = await executor.execute<Row>(sql`
    select e.project_id, c.id as contact_id, k.list_id
    from emails e left join contacts c on c.id = e.contact_id
      left join campaigns k on k.id = e.campaign_id
    where e.id = ${emailId}`);
  if (!row) return null;
  if (row.contact_id === null) return "deleted";
  return {
    projectId: row.project_id,
    contactId: row.contact_id,
    emailId,
    listId: row.list_id,
  };
}

/** By the token of a link; `deleted`: the person was deleted for good; null: the token is not ours. */
export async function findRecipient(
  executor: Executor,
  token: string,
): Promise<Recipient | "deleted" | null> {
  const emailId = readRecipientToken(token);
  if (emailId) return findRecipientOfEmail(executor, emailId);
  const named = readContactToken(token);
  if (!named) return null;
  const [row] = await executor.execute<Row>(sql`
    select project_id from contacts where id = ${named.contactId}`);
  if (!row) return "deleted";
  return {
    projectId: row.project_id,
    contactId: named.contactId,
    emailId: null,
    listId: named.listId,
  };
}
