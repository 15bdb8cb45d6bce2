import type { Database } from "@/db/client";
import { limitAttempts } from "@/lib/domain/users/attempts";
import { callerSubject } from "@/lib/ground/rate-limit";
import { sha256 } from "@/lib/ground/secrets";
import { foldAddress } from "@/lib/mail/address";

const quarterHour = 15 * 60;

/** One for all spellings that find the account: guesses must not be counted for each of them. */
const accountKey = (email: string) => sha256(foldAddress(email.trim())).toString("base64url");

/**
 * Limits attempts per address, per account and address, and per account. The last limit is wide, so that
 * a stranger cannot lock somebody out with a few guesses.
 */
export function throttleSignIn(db: Database, address: string, email: string): Promise<void> {
  const account = accountKey(email);
  return limitAttempts(db, [
    { subject: callerSubject("sign-in", address), limit: 50, windowSeconds: quarterHour },
    {
      subject: callerSubject(`sign-in:${account}`, address),
      limit: 10,
      windowSeconds: quarterHour,
    },
    { subject: `sign-in:${account}`, limit: 100, windowSeconds: 4 * quarterHour },
  ]);
}

/**
 * Limits attempts at one-time links per address. Nobody guesses a link's 256 bits: the limit spares the
 * database, and is wide enough for a company whose people all sign in by link from one address.
 */
export function throttleLinkUse(db: Database, address: string): Promise<void> {
  return limitAttempts(db, [
    { subject: callerSubject("link-use", address), limit: 1000, windowSeconds: quarterHour },
  ]);
}

/**
 * Limits leaving for the identity provider and coming back, per address. Passwords are guessed at the provider, which
 * limits that: this is as wide as for links.
 */
export function throttleProvider(db: Database, address: string): Promise<void> {
  return limitAttempts(db, [
    { subject: callerSubject("identity", address), limit: 1000, windowSeconds: quarterHour },
  ]);
}

/** Limits passwords set by link and link mails, per address (and per account where one is named). */
export function throttleLinks(db: Database, address: string, email?: string): Promise<void> {
  return limitAttempts(db, [
    { subject: callerSubject("link", address), limit: 30, windowSeconds: quarterHour },
    ...(email === undefined
      ? []
      : [{ subject: `link:${accountKey(email)}`, limit: 5, windowSeconds: quarterHour }]),
  ]);
}

/**
 * Limits questions to passkeys per address. The sign-in page asks one as it opens, so this is as wide as for
 * links: what they answer is limited as passwords are.
 */
export function throttlePasskeyQuestions(db: Database, address: string): Promise<void> {
  return limitAttempts(db, [
    { subject: callerSubject("passkey", address), limit: 1000, windowSeconds: quarterHour },
  ]);
}
