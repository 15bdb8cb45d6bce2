import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
  type PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { eq } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import { passkeys, users } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { AppError } from "@/lib/ground/errors";
import { auditUser } from "./audit";
import {
  challengeLifeSeconds,
  findPasskeySite,
  makeChallenge,
  takeChallenge,
} from "./passkey-challenges";
import type { PasskeySigned } from "./passkey-schema";
import { userHandleOf } from "./passkeys";
import { startSession, type SignInOrigin, type StartedSession } from "./sign-in";

/** What the browser that holds the secret `holder` needs to ask for a passkey. Throws CONFLICT where there are none. */
export async function beginPasskeySignIn(
  db: Database,
  holder: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const site = findPasskeySite();
  if (!site) throw new AppError("CONFLICT", "Passkeys cannot be used at this address.");
  return generateAuthenticationOptions({
    rpID: site.host,
    challenge: await makeChallenge(db, holder),
    timeout: challengeLifeSeconds * 1000,
    userVerification: "required",
  });
}

/** The passkey's counter after it has signed; null when it has not signed this challenge for this site. */
async function signedCounter(
  passkey: typeof passkeys.$inferSelect,
  signed: PasskeySigned,
  expectedChallenge: string,
): Promise<number | null> {
  const site = findPasskeySite();
  if (!site) return null;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...signed, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // The library throws for whatever is wrong, a counter that has gone back included.
    return null;
  }
}

/** Accepts what the passkey signed, under a lock of its row: its counter goes up once for each session. */
async function usePasskey(
  tx: Transaction,
  passkeyId: string,
  signed: PasskeySigned,
  challenge: string,
): Promise<boolean> {
  const [row] = await tx.select().from(passkeys).where(eq(passkeys.id, passkeyId)).for("update");
  if (!row) return false;
  if (signed.response.userHandle !== userHandleOf(row.userId).toString("base64url")) return false;
  const counter = await signedCounter(row, signed, challenge);
  if (counter === null) return false;
  await tx.update(passkeys).set({ counter, lastUsedAt: now }).where(eq(passkeys.id, row.id));
  return true;
}

/**
 * Starts a session for the user of a passkey, which counts as both factors: its authenticator has asked for a
 * finger, a face or a PIN. Null when it is unknown or did not sign what this browser was given. Throws NOT_ALLOWED
 * when that was more than five minutes ago, or was answered before.
 */
export async function signInByPasskey(
  db: Database,
  { holder, signed }: { holder: string; signed: PasskeySigned },
  origin: SignInOrigin,
): Promise<StartedSession | null> {
  const [passkey] = await db
    .select({ id: passkeys.id, user: { id: users.id, email: users.email, name: users.name } })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.credentialId, signed.id));
  const challenge = await takeChallenge(db, holder, signed.response.clientDataJSON);
  if (passkey && challenge !== null) {
    const { id, user } = passkey;
    const started = await db.transaction(async (tx) =>
      (await usePasskey(tx, id, signed, challenge))
        ? startSession(tx, { user, by: "passkey", platformTokenId: null }, origin)
        : null,
    );
    if (started) return started;
  }
  if (passkey) {
    await auditUser(db, passkey.user.id, {
      action: "refuse.session",
      actor: { type: "system", id: null },
      details: { by: "passkey" },
      origin,
      requestId: origin.requestId,
    });
  }
  if (challenge !== null) return null;
  throw new AppError("NOT_ALLOWED", "That took too long: use your passkey again.");
}
