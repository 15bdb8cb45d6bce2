/** What a server said; `code` is null where only an enhanced code is known. */
export interface ServerWords {
  code: number | null;
  enhancedCode: string | null;
  text: string;
}

/**
 * The sender's address is malformed (1.7), its domain unknown (1.8) or without mail (7.27), not allowed to come from
 * there (7.23, 7.24), or has had its share for the day (1.90): RFC 3463, 7372, 7505, and Exchange Online.
 */
const senderCodes = /^[45]\.(1\.([78]|90)|7\.2[347])$/;
/**
 * What mail servers say of the sender, and of the host that speaks for it: Postfix, Sendmail ("Domain of sender address …
 * does not exist"), Exim, qmail, Exchange.
 */
const senderWords = [
  /\bsender(?:'s)? (?:e-?mail )?(?:address|domain|verif|denied|rejected|refused)/i,
  /\b(?:envelope|invalid|unknown|outbound) sender\b|\bsend as this sender\b/i,
  /\bverification failed for |\bverification failed while checking |\bcallback setup failed while verifying /i,
  /\b(?:client host|helo command) (?:rejected\b|\[)/i,
];

/** Postfix looks into the sender's address, and knows by the next try: until then this is a refusal like greylisting. */
const stillLooking = /\bverification in progress\b/i;

/** 5.1.x and a mailbox that accepts no mail; those of the sender are looked at before. */
const addressCodes = /^5\.(1\.\d+|2\.1)$/;
const faultThenAddress =
  /(no such|unknown|invalid) (user|mailbox|recipient|address|account|local)/i;
const addressWord = /(user|mailbox|recipient|address|account)\b/i;
const faultWord =
  /unknown|not found|not exist|doesn't exist|no such|unavailable|invalid|disabled|rejected: access/i;

/**
 * How large providers say that there is no such mailbox, under codes that say something else: Microsoft 365, Outlook.com
 * and Yahoo. With null, they give no enhanced code.
 */
const knownRefusals: readonly { code: number; enhancedCode: string | null; words: RegExp }[] = [
  { code: 550, enhancedCode: "5.4.1", words: /\bRecipient address rejected: Access denied\b/i },
  { code: 550, enhancedCode: "5.5.0", words: /\bmailbox unavailable\b/i },
  { code: 552, enhancedCode: null, words: /\bmailbox not found\b/i },
  { code: 554, enhancedCode: null, words: /\bmailbox is disabled\b/i },
];

/** Exim's word for an address whose domain or mailbox it does not know. */
const unrouteable = /unroute?able address/i;

/** Whether a line names an address and what is wrong with it, in either order. */
function tellsOfAddress(line: string): boolean {
  if (faultThenAddress.test(line) || unrouteable.test(line)) return true;
  // In two steps: a single pattern would search for the fault again from every address.
  const address = addressWord.exec(line);
  return address !== null && faultWord.test(line.slice(address.index + address[0].length));
}

/**
 * Whether a refusal is about the sender, whoever the mail is for. Many servers say so only at RCPT TO: Postfix by default
 * (smtpd_delay_reject), Exim where it verifies senders, qmail. What else the reply says is then about the sender's address.
 */
export function isSenderFault({ enhancedCode, text }: ServerWords): boolean {
  if (stillLooking.test(text)) return false;
  if (enhancedCode !== null && senderCodes.test(enhancedCode)) return true;
  return senderWords.some((words) => words.test(text));
}

/** In a notification, a server's own reason has no reply code, and at most the status that says nothing. */
const saysNothing = (enhancedCode: string | null) =>
  enhancedCode === null || enhancedCode === "5.0.0";

const isSame = (known: (typeof knownRefusals)[number], { code, enhancedCode, text }: ServerWords) =>
  (code === null || code === known.code) &&
  (known.enhancedCode === null ? saysNothing(enhancedCode) : enhancedCode === known.enhancedCode) &&
  known.words.test(text);

/** Whether a permanent refusal says that the address itself is bad: such an address is suppressed. */
export function isAddressFault(reply: ServerWords): boolean {
  if (isSenderFault(reply)) return false;
  if (knownRefusals.some((known) => isSame(known, reply))) return true;
  if (reply.enhancedCode !== null && !saysNothing(reply.enhancedCode)) {
    return addressCodes.test(reply.enhancedCode);
  }
  const mayBe = reply.code === null || [550, 551, 553].includes(reply.code);
  return mayBe && reply.text.split("\n").some(tellsOfAddress);
}
