import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { acceptedSecrets, equalSecrets, sign } from "@/lib/ground/secrets";

/** The host of a domain's return-path addresses: its SPF record covers the envelope sender. */
export function returnPathHost(name: string): string {
  return `bounces.${name}`;
}

const signatureBytes = 10;

/** What an address of ours is for; each kind is signed separately. */
const kinds = {
  bounce: { letter: "b", purpose: "return-path" },
  unsubscribe: { letter: "u", purpose: "unsubscribe-address" },
} as const;
type Kind = keyof typeof kinds;

// Hexadecimal: servers along the way may change the case of a local part.
function signatureOf(kind: Kind, emailId: string, secret?: string): string {
  const signature = sign(kinds[kind].purpose, emailId, signatureBytes, secret);
  return Buffer.from(signature, "base64url").toString("hex");
}

function addressOf(kind: Kind, emailId: string, domain: string): string {
  const id = encodeId("email", emailId).slice("em_".length);
  return `${kinds[kind].letter}-${id}-${signatureOf(kind, emailId)}@${returnPathHost(domain)}`;
}

function readAddress(kind: Kind, address: string): string | null {
  const match = /^([a-z])-([0-9a-z]{26})-([0-9a-f]{20})@/i.exec(address);
  if (match?.[1]?.toLowerCase() !== kinds[kind].letter) return null;
  const emailId = match[2] ? decodeId("email", `em_${match[2].toLowerCase()}`) : null;
  if (!emailId || !match[3]) return null;
  const signature = match[3].toLowerCase();
  const ours = acceptedSecrets().some((secret) =>
    equalSecrets(signature, signatureOf(kind, emailId, secret)),
  );
  return ours ? emailId : null;
}

/** The envelope sender of one email (VERP): bounces name the email, and nobody can forge it. */
export function returnPathOf(emailId: string, domain: string): string {
  return addressOf("bounce", emailId, domain);
}

/** The uuid of the email whose return path this is; null when it is not ours, or forged. */
export function readReturnPath(address: string): string | null {
  return readAddress("bounce", address);
}

/** Mail to it unsubscribes the reader of one email (RFC 2369). */
export function unsubscribeAddressOf(emailId: string, domain: string): string {
  return addressOf("unsubscribe", emailId, domain);
}

/** The uuid of the email whose unsubscribe address this is; null when it is not ours, or forged. */
export function readUnsubscribeAddress(address: string): string | null {
  return readAddress("unsubscribe", address);
}
