import { domainOf } from "@/lib/mail/address";
import { encodeId } from "@/lib/ground/ids/ids";

/** The Message-ID of an email, without angle brackets: derived, so that a re-send carries the same. */
export function messageIdOf(emailId: string, fromEmail: string): string {
  return `${encodeId("email", emailId)}@${domainOf(fromEmail)}`;
}
