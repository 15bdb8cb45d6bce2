import type { BounceClass } from "@/db/enums";
import { isAddressFault, isSenderFault, type ServerWords } from "./address-fault";

/*
 * Enhanced codes after RFC 3463, RFC 7372 and the IANA registry. Words take precedence over codes where
 * servers use a general code for a specific reason: a full mailbox as 5.7.1, a block list as 5.7.1 or 5.3.0.
 */

const byWords: [BounceClass, RegExp][] = [
  [
    "mailbox_full",
    // Postfix says the last of a mailbox that has reached its bound.
    /quota|mailbox( is)? full|over ?size|insufficient (system )?storage|storage limit|writing message: File too large/i,
  ],
  [
    "reputation",
    /block ?list|black ?list|blocked using|spamhaus|barracuda|spamcop|poor reputation|bad reputation|low reputation|dnsbl|rbl|unusual rate|too many (complaints|messages)|\bblocked\b/i,
  ],
  [
    "policy",
    /\b(spf|dkim|dmarc)\b|unauthenticated|authentication required|relay(ing)? (access )?denied/i,
  ],
  ["content", /\bspam\b|unsolicited|content rejected|virus|malware|phishing/i],
  ["too_large", /too (large|big)|size (limit )?exceed|exceeds (the )?(maximum|size)/i],
  [
    "unreachable",
    // Exim adds "retry timeout exceeded" to what a server said, and says it alone where none answered.
    /(host|domain) (name )?(unknown|not found)|no (mx|route)|timed out|connection refused|could not connect|name service error|host or domain name|dns (error|failure)|^retry timeout exceeded$|failing for a long time|retry time not reached/i,
  ],
];

const byCode: [BounceClass, RegExp][] = [
  ["mailbox_full", /^[45]\.(2\.2|3\.1)$/],
  ["policy", /^[45]\.(7\.(?!0$)\d{1,3}|1\.[78])$/],
  ["too_large", /^[45]\.(2\.3|3\.4)$/],
  ["content", /^[45]\.6\.\d{1,3}$/],
  ["unreachable", /^[45]\.(4\.\d{1,3}|1\.2|1\.10)$/],
];

const firstOf = (rules: typeof byWords, text: string) =>
  rules.find(([, pattern]) => pattern.test(text))?.[0];

/** What a server's words say about why mail came back. Reads the first 2,000 characters. */
export function bounceClassOf(words: ServerWords): BounceClass {
  const text = words.text.slice(0, 2_000);
  const permanent = words.enhancedCode?.startsWith("5.") ?? (words.code ?? 0) >= 500;
  if (permanent && isAddressFault({ ...words, text })) return "invalid_address";
  const told = firstOf(byWords, text);
  // "Domain not found", for example, is then said of the sender's.
  if (isSenderFault({ ...words, text })) return told === "reputation" ? told : "policy";
  return told ?? firstOf(byCode, words.enhancedCode ?? "") ?? "other";
}
