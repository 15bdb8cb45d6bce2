import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { equalSecrets, sign } from "@/lib/ground/secrets";

/** The host of a domain's return-path addresses: its SPF record covers the envelope sender. */
export function returnPathHost(name: string): string {
  return `bounces.${name}`;
}

const signatureBytes = 10;

// Hexadecimal: servers along the way may change the case of a local part.
function signatureOf(emailId: string): string {
  return Buffer.from(sign("return-path", emailId, signatureBytes), "base64url").toString("hex");
}

/** The envelope sender of one email (VERP): bounces name the email, and nobody can forge it. */
export function returnPathOf(emailId: string, domain: string): string {
  const id = encodeId("email", emailId).slice("em_".length);
  return `b-${id}-${signatureOf(emailId)}@${returnPathHost(domain)}`;
}

/** The uuid of the email whose return path this is; null when it is not ours, or forged. */
export function readReturnPath(address: string): string | null {
  const match = /^b-([0-9a-z]{26})-([0-9a-f]{20})@/i.exec(address);
  const emailId = match?.[1] ? decodeId("email", `em_${match[1].toLowerCase()}`) : null;
  if (!emailId || !match?.[2]) return null;
  return equalSecrets(match[2].toLowerCase(), signatureOf(emailId)) ? emailId : null;
}
