import type { SmtpReply } from "@/lib/engine/transports/transport";

/** 5.1.x but for the sender's own address (5.1.7, 5.1.8), and a mailbox that takes no mail. */
const addressCodes = /^5\.(1\.(?![78]$)\d+|2\.1)$/;
const addressWords =
  /(user|mailbox|recipient|address|account)\b.*(unknown|not found|not exist|doesn't exist|no such|unavailable|invalid|disabled|rejected: access)|(no such|unknown|invalid) (user|mailbox|recipient|address|account|local)/i;

/** Whether a permanent refusal says that the address itself is bad: such an address is suppressed. */
export function isAddressFault(reply: SmtpReply): boolean {
  if (reply.enhancedCode !== null && reply.enhancedCode !== "5.0.0") {
    return addressCodes.test(reply.enhancedCode);
  }
  return [550, 551, 553].includes(reply.code) && addressWords.test(reply.text);
}
