import { eq } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { campaigns, contacts, emails } from "@/db/schema";
import { findPerson, personOf } from "@/lib/domain/contact-states/merged";
import { readContactToken, readRecipientToken } from "@/lib/mail/tracking/tokens";

/** Who holds a link, and the mail it came with (uuids). */
export interface LinkHolder {
  projectId: string;
  contactId: string;
  /** null when the link is only about the person. */
  emailId: string | null;
  /** The list the mail was sent to; null: none. */
  listId: string | null;
  /** The mail's topic; null when it had none. */
  topicId: string | null;
}

/** By an email's uuid; `deleted`: the person was deleted for good; null: there is no such email. */
export async function findLinkHolderOfEmail(
  executor: Executor,
  emailId: string,
): Promise<LinkHolder | "deleted" | null> {
  const [row] = await executor
    .select({
      projectId: emails.projectId,
      contactId: contacts.id,
      listId: campaigns.listId,
      topicId: campaigns.topicId,
    })
    .from(emails)
    .leftJoin(contacts, eq(contacts.id, personOf(emails.contactId)))
    .leftJoin(campaigns, eq(campaigns.id, emails.campaignId))
    .where(eq(emails.id, emailId));
  if (!row) return null;
  const { contactId } = row;
  return contactId === null ? "deleted" : { ...row, contactId, emailId };
}

/** By the token of a link; `deleted`: the person was deleted for good; null: the token is not ours. */
export async function findLinkHolder(
  executor: Executor,
  token: string,
): Promise<LinkHolder | "deleted" | null> {
  const emailId = readRecipientToken(token);
  if (emailId) return findLinkHolderOfEmail(executor, emailId);
  const contactToken = readContactToken(token);
  if (!contactToken) return null;
  const person = await findPerson(executor, contactToken.contactId);
  if (!person) return "deleted";
  const { id: contactId, projectId } = person;
  return { ...contactToken, projectId, contactId, emailId: null, topicId: null };
}
