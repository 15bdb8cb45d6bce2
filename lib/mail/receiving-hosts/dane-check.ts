import { createHash, createPublicKey, X509Certificate } from "node:crypto";
import { checkServerIdentity, type PeerCertificate, type TLSSocket } from "node:tls";
import type { TlsaRecord } from "@/lib/ground/dns/validating-resolver";
import type { DaneProof } from "./dane";

const longestChain = 10;

/** Throws one sentence where the other side's certificate is not one that its TLSA records name (RFC 7672, section 3). */
export function checkDane(socket: TLSSocket, { records, names }: DaneProof): void {
  const peer = socket.getPeerCertificate(true);
  const chain = chainOf(peer);
  const [leaf] = chain;
  if (!leaf) throw new Error("The server showed no certificate.");
  // What the record names holds whatever the certificate says of names and dates.
  if (records.some((record) => record.usage === 3 && matches(record, leaf))) return;
  const anchors = records.filter(({ usage }) => usage === 2);
  const named = names.some((name) => checkServerIdentity(name, peer) === undefined);
  if (named && isAnchored(chain, anchors)) return;
  throw new Error("The certificate is not one that the host's TLSA records name (DANE).");
}

/** From the server's own certificate upwards. */
function chainOf(peer: PeerCertificate): X509Certificate[] {
  const chain: X509Certificate[] = [];
  const seen = new Set<string>();
  let next: PeerCertificate | undefined = peer;
  while (next?.raw && !seen.has(next.fingerprint256) && chain.length < longestChain) {
    seen.add(next.fingerprint256);
    chain.push(new X509Certificate(next.raw));
    next = "issuerCertificate" in next ? (next.issuerCertificate as PeerCertificate) : undefined;
  }
  return chain;
}

/** Whether each certificate is issued by the next, up to one that a record names. */
function isAnchored(chain: readonly X509Certificate[], anchors: readonly TlsaRecord[]): boolean {
  for (const [index, certificate] of chain.entries()) {
    if (index > 0 && anchors.some((record) => matches(record, certificate))) return true;
    if (!isCurrent(certificate)) return false;
    if (anchors.some((record) => isIssuedBy(record, certificate))) return true;
    const issuer = chain[index + 1];
    if (!issuer?.ca || !certificate.checkIssued(issuer)) return false;
    if (!certificate.verify(issuer.publicKey)) return false;
  }
  return false;
}

function isCurrent({ validFrom, validTo }: X509Certificate): boolean {
  return Date.parse(validFrom) <= Date.now() && Date.now() <= Date.parse(validTo);
}

/** An authority that stands in the record whole need not be sent along. */
function isIssuedBy(
  { selector, matching, data }: TlsaRecord,
  certificate: X509Certificate,
): boolean {
  if (matching !== 0) return false;
  try {
    if (selector === 1) {
      return certificate.verify(createPublicKey({ key: data, format: "der", type: "spki" }));
    }
    const authority = new X509Certificate(data);
    return (
      authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
    );
  } catch {
    return false;
  }
}

function matches({ selector, matching, data }: TlsaRecord, certificate: X509Certificate): boolean {
  const content =
    selector === 0
      ? certificate.raw
      : certificate.publicKey.export({ type: "spki", format: "der" });
  const compared =
    matching === 0
      ? content
      : createHash(matching === 1 ? "sha256" : "sha512")
          .update(content)
          .digest();
  return data.equals(compared);
}
