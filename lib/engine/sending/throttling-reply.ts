import type { SmtpReply } from "@/lib/mail/transport";

/** About the address or its mailbox: one recipient's problem (RFC 3463, 3.2 and 3.3). */
const ofTheRecipient = /^4\.[12]\./;
/** Greylisting asks each new pair of sender and recipient to come back later, so the others are still tried. */
const greylisting = /gr[ae]y-?list/i;

/** Whether a temporary refusal says that the server wants less mail for a while, whoever the recipient is. */
export function asksForLess({ code, enhancedCode, text }: SmtpReply): boolean {
  if (greylisting.test(text)) return false;
  if (code === 450) return enhancedCode !== null && /^4\.[37]\./.test(enhancedCode);
  if (![421, 451, 452].includes(code)) return false;
  return enhancedCode === null || !ofTheRecipient.test(enhancedCode);
}
