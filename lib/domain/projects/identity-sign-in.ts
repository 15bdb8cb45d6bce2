import type { Database, Transaction } from "@/db/client";
import { auditUser } from "@/lib/domain/users/audit";
import { linkIdentity, useIdentity } from "@/lib/domain/users/identities";
import type { IdentityClaims } from "@/lib/domain/users/identity-provider";
import type { IdentityProblem } from "@/lib/domain/users/identity-schema";
import { mailDomainOf } from "@/lib/domain/users/own-ways";
import {
  afterFirstStep,
  type PendingSignIn,
  type SignInOrigin,
  type StartedSession,
} from "@/lib/domain/users/sign-in";
import { findUserByEmail, type User } from "@/lib/domain/users/users";
import { env } from "@/lib/ground/env/env";
import { makeAccount, signUpIsOpen } from "./sign-up";

interface Refusal {
  problem: IdentityProblem;
}

/** Records whom somebody without success tried to sign in as. */
async function refuse(
  tx: Transaction,
  problem: IdentityProblem,
  user: User | null,
  { requestId, ...origin }: SignInOrigin,
): Promise<Refusal> {
  if (user) {
    await auditUser(tx, user.id, {
      action: "refuse.session",
      actor: { type: "system", id: null },
      details: { by: "identity", reason: problem },
      origin,
      requestId,
    });
  }
  return { problem };
}

/** The person behind an account at the provider that comes for the first time, found by its address or made. */
async function linkByAddress(
  tx: Transaction,
  claims: IdentityClaims,
  origin: SignInOrigin,
): Promise<User | Refusal> {
  const { email, emailVerified, name } = claims;
  const user = email ? await findUserByEmail(tx, email) : null;
  if (!email || !emailVerified) return refuse(tx, "unverified", user, origin);
  const { OIDC_DOMAINS } = env();
  if (OIDC_DOMAINS.length > 0 && !OIDC_DOMAINS.includes(mailDomainOf(email))) {
    return refuse(tx, "foreign", user, origin);
  }
  if (!user && !signUpIsOpen()) return { problem: "unknown" };
  const person =
    user ?? (await makeAccount(tx, { email, name, projectName: "My project" }, origin));
  // Both presses of a double press come this far, and one of them has linked it.
  const found = person ?? (await findUserByEmail(tx, email));
  if (found && (await linkIdentity(tx, found, claims, origin))) return found;
  return (await useIdentity(tx, claims)) ?? refuse(tx, "taken", found, origin);
}

/**
 * Signs in with what the identity provider says: the person whose account there this is, or else the one with its
 * verified address, or else a new one where sign-up is open. Asks for the code of the authenticator app as a
 * password does.
 */
export async function signInByIdentity(
  db: Database,
  claims: IdentityClaims,
  origin: SignInOrigin,
): Promise<StartedSession | PendingSignIn | Refusal> {
  const user = await db.transaction(
    async (tx) => (await useIdentity(tx, claims)) ?? linkByAddress(tx, claims, origin),
  );
  if ("problem" in user) return user;
  return afterFirstStep(db, { user, by: "identity", platformTokenId: null }, origin);
}
