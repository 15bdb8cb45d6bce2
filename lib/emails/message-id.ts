import { domainOf } from "@/lib/contacts/address";
import { encodeId } from "@/lib/ids";

/** The Message-ID of an email, without angle brackets: derived, so that a re-send carries the same. */
export function messageIdOf(emailId: string, fromEmail: string): string {
  return `${encodeId("email", emailId)}@${domainOf(fromEmail)}`;
}
