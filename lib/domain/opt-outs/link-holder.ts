import { eq, sql } from "drizzle-orm";
import type { Executor, Transaction } from "@/db/client";
import { campaigns, contacts, emails, messages } from "@/db/schema";
import { byId } from "@/lib/ground/by-id";
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
    .leftJoin(messages, eq(messages.id, emails.messageId))
    // A test of a campaign is its message's only.
    .leftJoin(
      campaigns,
      eq(campaigns.id, sql`coalesce(${emails.campaignId}, ${messages.campaignId})`),
    )
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

async function lockContact(
  tx: Transaction,
  { projectId, contactId }: LinkHolder,
): Promise<boolean> {
  const [row] = await tx
    .select({ id: contacts.id })
    .from(contacts)
    .where(byId(contacts, projectId, contactId))
    .for("update");
  return row !== undefined;
}

/**
 * The same with the contact locked, so that of two concurrent changes the second sees the result of the first. Who was
 * merged into another meanwhile is looked for again.
 */
export async function lockLinkHolder(
  tx: Transaction,
  token: string,
): Promise<LinkHolder | "deleted" | null> {
  let holder = await findLinkHolder(tx, token);
  while (holder !== null && holder !== "deleted" && !(await lockContact(tx, holder))) {
    holder = await findLinkHolder(tx, token);
  }
  return holder;
}
