import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from "node:crypto";
import { env } from "./env/env";

const derived = new Map<string, KeyObject>();

/** What this installation seals and signs with. */
export function currentSecret(): string {
  const secret = env().APP_SECRET;
  if (!secret) throw new Error("APP_SECRET is not set. `npm start` creates one and keeps it.");
  return secret;
}

/** Anything sealed or signed with one of these is ours; the current one comes first. */
export function acceptedSecrets(): string[] {
  const { APP_SECRET_NEXT, APP_SECRET_PREVIOUS } = env();
  return [currentSecret(), ...(APP_SECRET_NEXT ? [APP_SECRET_NEXT] : []), ...APP_SECRET_PREVIOUS];
}

/** The oldest one: what was hashed with it cannot be hashed anew, so it goes on being used for that. */
export function oldestSecret(): string {
  return env().APP_SECRET_PREVIOUS.at(-1) ?? currentSecret();
}

/** A 32-byte key for one purpose, derived from a secret (HKDF-SHA-256). */
function keyFor(purpose: string, secret: string): KeyObject {
  const cacheKey = `${purpose}\0${secret}`;
  let key = derived.get(cacheKey);
  if (!key) {
    // A key object, because an HMAC over raw key bytes costs seven times as much.
    key = createSecretKey(Buffer.from(hkdfSync("sha256", secret, "lettermill", purpose, 32)));
    derived.set(cacheKey, key);
  }
  return key;
}

/** Encrypts `text` for storage (AES-256-GCM under APP_SECRET); base64url of nonce, tag and ciphertext. */
export function seal(text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyFor("seal", currentSecret()), nonce);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
}

function openWith(secret: string, sealed: string): string {
  const bytes = Buffer.from(sealed, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", keyFor("seal", secret), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
}

/** The text that was sealed. Throws under a secret we do not accept, or when the text was tampered with. */
export function unseal(sealed: string): string {
  const [current = "", ...others] = acceptedSecrets();
  try {
    return openWith(current, sealed);
  } catch (error) {
    for (const secret of others) {
      try {
        return openWith(secret, sealed);
      } catch {
        // Sealed with another one.
      }
    }
    throw error;
  }
}

/** The same; null for what cannot be read: sealed under a secret that this installation does not have, or damaged. */
export function unsealOrNull(sealed: string): string | null {
  try {
    return unseal(sealed);
  } catch {
    return null;
  }
}

/** The same text under the current secret; null when it is sealed with that already. */
export function resealed(sealed: string): string | null {
  try {
    openWith(currentSecret(), sealed);
    return null;
  } catch {
    return seal(unseal(sealed));
  }
}

export function sha256(text: string | Uint8Array): Buffer {
  return createHash("sha256").update(text).digest();
}

/** HMAC-SHA-256 of `data` with a key derived for `purpose`, truncated to `bytes` (16: 128 bits). */
export function mac(
  purpose: string,
  data: string | Uint8Array,
  bytes = 16,
  secret = currentSecret(),
): Buffer {
  return createHmac("sha256", keyFor(`sign:${purpose}`, secret))
    .update(data)
    .digest()
    .subarray(0, bytes);
}

/** `mac` as base64url. */
export function sign(purpose: string, text: string, bytes = 16, secret?: string): string {
  return mac(purpose, text, bytes, secret).toString("base64url");
}

/** Compares in constant time; false for different lengths. */
export function equalSecrets(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `length` random characters of base62 without bias (5.95 bits each). */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 248 is the largest multiple of 62 in a byte; above it the modulo would favour early characters.
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}

/** Six base62 characters that change with any typing error: tells a mistyped key from an unknown one. */
export function checksum(text: string): string {
  let value = sha256(text).readUIntBE(0, 6);
  let result = "";
  for (let index = 0; index < 6; index++) {
    result = base62[value % 62] + result;
    value = Math.floor(value / 62);
  }
  return result;
}
