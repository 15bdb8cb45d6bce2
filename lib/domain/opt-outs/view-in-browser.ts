import { eq } from "drizzle-orm";
import type { Database } from "@/db/client";
import { contacts, projects } from "@/db/schema";
import { systemContext } from "@/lib/ground/context";
import { getEmailContent } from "@/lib/domain/emails/content";
import { encodeId } from "@/lib/ground/ids/ids";
import { fallbackLanguage, languageIn } from "@/lib/ground/texts/texts";
import { readRecipientToken } from "@/lib/mail/tracking/tokens";
import { findLinkHolderOfEmail } from "./link-holder";

/** A mail as its reader got it; one of the two is there. */
export interface ViewedMail {
  subject: string;
  html: string | null;
  text: string | null;
  /** Its reader's, else the project's (BCP 47). */
  language: string;
}

/** By the token of the mail's own link; null when it is not ours, or the mail and its content are gone. */
export async function viewMail(db: Database, token: string): Promise<ViewedMail | null> {
  const emailId = readRecipientToken(token);
  const holder = emailId && (await findLinkHolderOfEmail(db, emailId));
  if (!emailId || !holder || holder === "deleted") return null;
  const ctx = systemContext(db, holder.projectId);
  const { message } = await getEmailContent(ctx, encodeId("email", emailId));
  if (!message) return null;
  const [reader] = await db
    .select({ data: contacts.data, project: projects.language })
    .from(contacts)
    .innerJoin(projects, eq(projects.id, contacts.projectId))
    .where(eq(contacts.id, holder.contactId));
  const language = languageIn(reader?.data) ?? reader?.project ?? fallbackLanguage;
  return { subject: message.subject, html: message.html, text: message.text, language };
}
