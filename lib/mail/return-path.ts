import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { equalSecrets, sign } from "@/lib/ground/secrets";

/*
 * Addresses that mail comes back to: each names its email and proves that we made it. `b-`: the envelope
 * sender, for bounces. `u-`: the mailto of List-Unsubscribe.
 */

/** The host of a domain's return-path addresses: its SPF record covers the envelope sender. */
export function returnPathHost(name: string): string {
  return `bounces.${name}`;
}

const signatureBytes = 10;
const purposes = { b: "return-path", u: "unsubscribe-address" } as const;
type Kind = keyof typeof purposes;

// Hexadecimal: servers along the way may change the case of a local part.
function signatureOf(kind: Kind, emailId: string): string {
  return Buffer.from(sign(purposes[kind], emailId, signatureBytes), "base64url").toString("hex");
}

function addressOf(kind: Kind, emailId: string, domain: string): string {
  const id = encodeId("email", emailId).slice("em_".length);
  return `${kind}-${id}-${signatureOf(kind, emailId)}@${returnPathHost(domain)}`;
}

function readAddress(kind: Kind, address: string): string | null {
  const match = /^([bu])-([0-9a-z]{26})-([0-9a-f]{20})@/i.exec(address);
  if (match?.[1]?.toLowerCase() !== kind) return null;
  const emailId = match[2] ? decodeId("email", `em_${match[2].toLowerCase()}`) : null;
  if (!emailId || !match[3]) return null;
  return equalSecrets(match[3].toLowerCase(), signatureOf(kind, emailId)) ? emailId : null;
}

/** The envelope sender of one email (VERP): bounces name the email, and nobody can forge it. */
export function returnPathOf(emailId: string, domain: string): string {
  return addressOf("b", emailId, domain);
}

/** The uuid of the email whose return path this is; null when it is not ours, or forged. */
export function readReturnPath(address: string): string | null {
  return readAddress("b", address);
}

/** Where mail that asks to be let out of an email's campaigns goes. */
export function unsubscribeAddressOf(emailId: string, domain: string): string {
  return addressOf("u", emailId, domain);
}

/** The uuid of the email whose reader asks; null when it is none of ours, or forged. */
export function readUnsubscribeAddress(address: string): string | null {
  return readAddress("u", address);
}
