import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { and, eq, gt, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { passkeyChallenges } from "@/db/schema";
import { env } from "@/lib/ground/env/env";
import { isLoopback } from "@/lib/ground/net/addresses/loopback";
import { sha256 } from "@/lib/ground/secrets";

/** How long somebody may take to use their passkey: five minutes. */
export const challengeLifeSeconds = 5 * 60;

const hashOf = (text: string) => sha256(text).toString("hex");

/** What passkeys are made for and used at. */
export interface PasskeySite {
  /** The host name; a passkey is bound to it (WebAuthn, section 5.1.2). */
  host: string;
  origin: string;
}

/** Null where browsers make no passkeys: at an IP address, and over http anywhere but on localhost. */
export function findPasskeySite(): PasskeySite | null {
  const { hostname, origin, protocol } = new URL(env().APP_URL);
  if (isIP(hostname) !== 0 || hostname.startsWith("[")) return null;
  if (protocol !== "https:" && !isLoopback(hostname)) return null;
  return { host: hostname, origin };
}

/** Makes a challenge that only `holder`, a secret of theirs or the name of their session, may answer, and once. */
export async function makeChallenge(
  db: Executor,
  holder: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(32));
  await db.insert(passkeyChallenges).values({
    hash: hashOf(Buffer.from(challenge).toString("base64url")),
    holderHash: hashOf(holder),
    expiresAt: sql`app_now() + make_interval(secs => ${challengeLifeSeconds})`,
  });
  return challenge;
}

/** The challenge that the browser says was signed; null for anything that is no such statement. */
function challengeIn(clientDataJSON: string): string | null {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    const challenge = (said as { challenge?: unknown } | null)?.challenge;
    return typeof challenge === "string" ? challenge : null;
  } catch {
    return null;
  }
}

/** Uses up the challenge that was answered. Null when it is unknown, used, expired or somebody else's. */
export async function takeChallenge(
  db: Executor,
  holder: string,
  clientDataJSON: string,
): Promise<string | null> {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === null) return null;
  const taken = await db
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.hash, hashOf(challenge)),
        eq(passkeyChallenges.holderHash, hashOf(holder)),
        gt(passkeyChallenges.expiresAt, sql`app_now()`),
      ),
    )
    .returning({ hash: passkeyChallenges.hash });
  return taken.length === 0 ? null : challenge;
}
