import type { EmailSource, SubscriberSource } from "@/db/enums";
import type { ContactFields } from "./variables";

/** What it takes to make one person's email. */
export interface AddressedEmail {
  /** uuid */
  id: string;
  projectId: string;
  messageId: string;
  campaignId: string | null;
  recipient: string;
  recipientName: string;
  source: EmailSource;
  createdAt: Date;
  /** Of the message, and its templates' "now": its first try, or when it was sent; `createdAt` before. */
  date: Date;
  contact: ContactFields | null;
  /** The subscriber's values for the fields of the campaign's list, by tag; null without a list. */
  listFields: Record<string, string> | null;
  /** How they joined it or, without a list, the project. null: unknown, or not a campaign's. */
  joinedBy: SubscriberSource | null;
}
