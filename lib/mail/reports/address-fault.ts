/** What a server said; `code` is null where only an enhanced code is known. */
export interface ServerWords {
  code: number | null;
  enhancedCode: string | null;
  text: string;
}

/** 5.1.x except for the sender's own address (5.1.7, 5.1.8), and a mailbox that accepts no mail. */
const addressCodes = /^5\.(1\.(?![78]$)\d+|2\.1)$/;
const faultThenAddress =
  /(no such|unknown|invalid) (user|mailbox|recipient|address|account|local)/i;
const addressWord = /(user|mailbox|recipient|address|account)\b/i;
const faultWord =
  /unknown|not found|not exist|doesn't exist|no such|unavailable|invalid|disabled|rejected: access/i;

/** Exim's word for an address whose domain or mailbox it does not know; also used of a sender's. */
const unrouteable = /unroute?able address/i;
const ofSender = /sender verif|verification failed/i;

/** Whether a line names an address and what is wrong with it, in either order. */
function tellsOfAddress(line: string): boolean {
  if (faultThenAddress.test(line)) return true;
  if (unrouteable.test(line)) return !ofSender.test(line);
  // In two steps: a single pattern would search for the fault again from every address.
  const address = addressWord.exec(line);
  return address !== null && faultWord.test(line.slice(address.index + address[0].length));
}

/** Whether a permanent refusal says that the address itself is bad: such an address is suppressed. */
export function isAddressFault(reply: ServerWords): boolean {
  if (reply.enhancedCode !== null && reply.enhancedCode !== "5.0.0") {
    return addressCodes.test(reply.enhancedCode);
  }
  // In a notification, a server's own reason has no reply code, and at most the status that says nothing.
  const mayBe = reply.code === null || [550, 551, 553].includes(reply.code);
  return mayBe && reply.text.split("\n").some(tellsOfAddress);
}
