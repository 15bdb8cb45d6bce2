import type { EmailSource } from "@/db/enums";
import type { ContactFields } from "./liquid";

/** What it takes to make an email for one person. */
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
  contact: ContactFields | null;
  /** What the subscriber gave to the campaign's list, by the fields' tags; null without a list. */
  listFields: Record<string, string> | null;
}
