import { createHmac } from "node:crypto";
import { equalSecrets } from "@/lib/ground/secrets";

/** Seconds for which one code is valid, and its digits: what every authenticator app takes for granted. */
export const stepSeconds = 30;
const digits = 6;
/** How many steps a clock may be fast or slow (RFC 6238, 5.2). */
const drift = 1;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Base32 without padding (RFC 4648), as authenticator apps take a secret. */
export function base32(bytes: Uint8Array): string {
  let text = "";
  let [value, bits] = [0, 0];
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += alphabet[(value >>> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text;
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let [value, bits] = [0, 0];
  for (const character of text) {
    value = (value << 5) | alphabet.indexOf(character);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >>> bits) & 255);
    value &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}

/** The code of one step (RFC 6238 over HMAC-SHA-1) for a secret in base32. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 15;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/**
 * The step whose code this is, among the present one and its neighbours; null for any other code, and
 * for a step that is not later than `lastStep`: somebody who looked over a shoulder comes too late.
 */
export function stepOfCode(
  secret: string,
  code: string,
  { step, lastStep }: { step: number; lastStep: number },
): number | null {
  let matching: number | null = null;
  for (let candidate = step - drift; candidate <= step + drift; candidate++) {
    const equal = equalSecrets(totpCode(secret, candidate), code);
    if (equal && candidate > lastStep) matching ??= candidate;
  }
  return matching;
}

/** What the QR code says: the form that authenticator apps read. */
export function totpUri(secret: string, account: string): string {
  const label = encodeURIComponent(`Lettermill:${account}`);
  return `otpauth://totp/${label}?secret=${secret}&issuer=Lettermill&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
}
