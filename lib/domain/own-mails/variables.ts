import { recipientUrls } from "@/lib/mail/content/campaign-headers";
import { contactVariables, type ContactFields } from "@/lib/mail/content/variables";

interface Known {
  contact: ContactFields;
  /** Values of the list's fields by tag. */
  fields: Record<string, string>;
  /** uuid */
  emailId: string;
  /** Where the mail's links lead. */
  baseUrl: string;
  listName: string;
  projectName: string;
  /** Line by line. */
  sender: readonly string[];
  mailReason: string;
}

/** What a list's or form's own mail can say. Nothing of a person can overwrite what is ours. */
export function mailVariables({ contact, fields, ...mail }: Known): Record<string, unknown> {
  const { email, firstName, lastName } = contact;
  return {
    ...contactVariables(contact, null),
    ...{ EMAIL: email, FIRST_NAME: firstName, LAST_NAME: lastName },
    ...fields,
    ...recipientUrls(mail.emailId, mail.baseUrl),
    listName: mail.listName,
    projectName: mail.projectName,
    postalAddress: mail.sender.join("\n"),
    mailReason: mail.mailReason,
  };
}
