import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { acceptedSecrets, equalSecrets, sign } from "@/lib/ground/secrets";
import { returnPathHost } from "@/lib/mail/return-path";

/**
 * What receivers report about a domain: who sends in its name (RFC 7489), and how its TLS fares (RFC 8460).
 */
export type DomainReportKind = "dmarc" | "tls";

const kinds = {
  dmarc: { letter: "d", purpose: "dmarc-report-address" },
  tls: { letter: "t", purpose: "tls-report-address" },
} as const;
const signatureBytes = 10;

// Hexadecimal, as in return paths: the case of a local part may change along the way.
function signatureOf(kind: DomainReportKind, domainId: string, secret?: string): string {
  const signature = sign(kinds[kind].purpose, domainId, signatureBytes, secret);
  return Buffer.from(signature, "base64url").toString("hex");
}

/**
 * Where receivers send reports about a domain. It is at the domain's own return-path host, because
 * other hosts need the permission of RFC 7489, section 7.1, before any report is sent to them.
 */
export function reportAddressOf(
  kind: DomainReportKind,
  { id, name }: { id: string; name: string },
): string {
  const wireId = encodeId("domain", id).slice("dom_".length);
  return `${kinds[kind].letter}-${wireId}-${signatureOf(kind, id)}@${returnPathHost(name)}`;
}

/** The uuid of the domain that an address takes reports for; null when it is not ours, or forged. */
export function readReportAddress(
  address: string,
): { kind: DomainReportKind; domainId: string } | null {
  const match = /^([dt])-([0-9a-z]{26})-([0-9a-f]{20})@/i.exec(address);
  if (!match?.[1] || !match[2] || !match[3]) return null;
  const kind = match[1].toLowerCase() === kinds.dmarc.letter ? "dmarc" : "tls";
  const domainId = decodeId("domain", `dom_${match[2].toLowerCase()}`);
  if (!domainId) return null;
  const signature = match[3].toLowerCase();
  const ours = acceptedSecrets().some((secret) =>
    equalSecrets(signature, signatureOf(kind, domainId, secret)),
  );
  return ours ? { kind, domainId } : null;
}
