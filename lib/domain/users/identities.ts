import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { Database, Executor, Transaction } from "@/db/client";
import { passkeys, userIdentities, users } from "@/db/schema";
import { now } from "@/db/schema/columns";
import type { Context } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { auditUser } from "./audit";
import { findProviderName, type IdentityClaims } from "./identity-provider";
import type { Identity, IdentityList } from "./identity-schema";
import { signsInAtProviderOnly } from "./own-ways";
import { askingPerson, recordOwnAct, withFreshProof } from "./prove";
import type { FreshProof } from "./schema";
import type { SignInOrigin } from "./sign-in";
import { findUserByEmail, getUser, type User } from "./users";

/** The person of an account at the provider, which counts as used; null for one that is linked to nobody. */
export async function useIdentity(
  db: Executor,
  { issuer, subject, email }: IdentityClaims,
): Promise<User | null> {
  const [used] = await db
    .update(userIdentities)
    .set({ lastUsedAt: now, ...(email && { email }) })
    .from(users)
    .where(
      and(
        eq(userIdentities.issuer, issuer),
        eq(userIdentities.subject, subject),
        eq(users.id, userIdentities.userId),
      ),
    )
    .returning({ id: users.id, email: users.email, name: users.name });
  return used ?? null;
}

/**
 * Links an account at the provider to a person. False when they have another one there: who has been given the
 * address of somebody who left must not become them.
 */
export async function linkIdentity(
  tx: Transaction,
  user: User,
  { issuer, subject, email }: IdentityClaims,
  { requestId, ...origin }: SignInOrigin,
): Promise<boolean> {
  const linked = await tx
    .insert(userIdentities)
    .values({ userId: user.id, issuer, subject, email })
    .onConflictDoNothing()
    .returning({ id: userIdentities.id });
  if (linked.length === 0) return false;
  await auditUser(tx, user.id, {
    action: "link.identity",
    actor: { type: "user", id: user.id },
    details: { provider: env().OIDC_NAME },
    origin,
    requestId,
  });
  return true;
}

/** Unlinks every account of somebody who can no longer use it; resolves to how many. Throws NOT_FOUND. */
export async function unlinkIdentitiesOf(db: Database, email: string): Promise<number> {
  const user = await findUserByEmail(db, email);
  if (!user) throw notFound();
  return db.transaction(async (tx) => {
    const unlinked = await tx
      .delete(userIdentities)
      .where(eq(userIdentities.userId, user.id))
      .returning({ issuer: userIdentities.issuer });
    for (const { issuer } of unlinked) {
      await auditUser(tx, user.id, {
        action: "unlink.identity",
        actor: { type: "system", id: null },
        details: { provider: nameOf(issuer), by: "operator" },
        requestId: "system",
      });
    }
    return unlinked.length;
  });
}

const nameOf = (issuer: string) =>
  issuer === env().OIDC_ISSUER ? env().OIDC_NAME : new URL(issuer).host;

function resourceOf(row: typeof userIdentities.$inferSelect): Identity {
  return {
    id: encodeId("identity", row.id),
    provider: nameOf(row.issuer),
    email: row.email,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
  };
}

/** The actor's own accounts at identity providers, the oldest first. Throws NOT_ALLOWED for keys. */
export async function listIdentities(ctx: Context): Promise<IdentityList> {
  const rows = await ctx.db
    .select()
    .from(userIdentities)
    .where(eq(userIdentities.userId, askingPerson(ctx)))
    .orderBy(asc(userIdentities.id));
  return { provider: findProviderName(), data: rows.map(resourceOf) };
}

/** Throws CONFLICT for people who could not sign in without the provider. */
async function requireAnotherWay(tx: Transaction, userId: string): Promise<void> {
  const { email } = await getUser(tx, userId);
  if (signsInAtProviderOnly(email)) {
    throw new AppError("CONFLICT", `This is the only way in which ${email} may sign in.`);
  }
  // A link reaches everybody, unless mail ends in a mailbox that only the signed-in can read.
  if (env().MAIL_TRANSPORT !== "capture") return;
  const withPassword = and(eq(users.id, userId), isNotNull(users.passwordHash));
  if ((await tx.$count(users, withPassword)) > 0) return;
  if ((await tx.$count(passkeys, eq(passkeys.userId, userId))) > 0) return;
  throw new AppError(
    "CONFLICT",
    "This is your only way to sign in: add a passkey or set a password first.",
  );
}

/**
 * Unlinks an account at a provider; sessions that it started go on. Throws NOT_FOUND for those of other people,
 * CONFLICT for the last way to sign in, VALIDATION_ERROR for a wrong password or code.
 */
export function unlinkIdentity(ctx: Context, id: string, proof: FreshProof): Promise<void> {
  const userId = askingPerson(ctx);
  const uuid = decodeId("identity", id);
  if (!uuid) throw notFound();
  const own = and(eq(userIdentities.id, uuid), eq(userIdentities.userId, userId));
  const lock = async (tx: Transaction) => {
    const [row] = await tx
      .select({ issuer: userIdentities.issuer })
      .from(userIdentities)
      .where(own)
      .for("update");
    if (!row) throw notFound();
    await requireAnotherWay(tx, userId);
    return row;
  };
  return withFreshProof(ctx, proof, lock, async (tx, { issuer }) => {
    await tx.delete(userIdentities).where(own);
    await recordOwnAct(tx, ctx, "unlink.identity", { provider: nameOf(issuer) });
  });
}
