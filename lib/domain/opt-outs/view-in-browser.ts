import type { Database } from "@/db/client";
import { systemContext } from "@/lib/ground/context";
import { getEmailContent } from "@/lib/domain/emails/content";
import { encodeId } from "@/lib/ground/ids/ids";
import { readRecipientToken } from "@/lib/mail/tracking/tokens";
import { findLinkHolderOfEmail } from "./link-holder";

/** A mail as its reader got it; one of the two is there. */
export interface ViewedMail {
  subject: string;
  html: string | null;
  text: string | null;
}

/** By the token of the mail's own link; null: not ours, or the mail is gone and with it what it said. */
export async function viewMail(db: Database, token: string): Promise<ViewedMail | null> {
  const emailId = readRecipientToken(token);
  const holder = emailId && (await findLinkHolderOfEmail(db, emailId));
  if (!emailId || !holder || holder === "deleted") return null;
  const ctx = systemContext(db, holder.projectId);
  const { message } = await getEmailContent(ctx, encodeId("email", emailId));
  return message && { subject: message.subject, html: message.html, text: message.text };
}
