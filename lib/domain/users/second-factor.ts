import { randomBytes } from "node:crypto";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import { secondFactors, users } from "@/db/schema";
import { now } from "@/db/schema/columns";
import type { Context } from "@/lib/ground/context";
import { AppError, invalid, notFound } from "@/lib/ground/errors";
import { seal } from "@/lib/ground/secrets";
import { limitCodeAttempts } from "./attempts";
import { auditUser } from "./audit";
import { countRecoveryCodes, replaceRecoveryCodes, takeAppCode } from "./codes";
import { askingPerson, recordOwnAct, recordRefusal, withProof } from "./prove";
import type { Proof, RecoveryCodes, SecondFactor, SecondFactorSetup } from "./schema";
import { base32, totpUri } from "./totp";
import { findUserByEmail, getUser } from "./users";

/** Whether the actor's sign-in asks for a code. */
export async function getSecondFactor(ctx: Context): Promise<SecondFactor> {
  const [row] = await ctx.db
    .select({
      hasPassword: isNotNull(users.passwordHash).mapWith(Boolean),
      factorId: secondFactors.id,
      since: secondFactors.confirmedAt,
    })
    .from(users)
    .leftJoin(secondFactors, eq(secondFactors.userId, users.id))
    .where(eq(users.id, askingPerson(ctx)));
  if (!row) throw notFound();
  const { factorId, since, hasPassword } = row;
  return {
    enabled: since !== null,
    since: since?.toISOString() ?? null,
    recoveryCodesLeft: factorId && since ? await countRecoveryCodes(ctx.db, factorId) : 0,
    hasPassword,
  };
}

/**
 * Makes a secret for the actor's authenticator app; codes are not asked for until one has confirmed it.
 * Throws CONFLICT when one is confirmed already.
 */
export async function beginSecondFactor(ctx: Context): Promise<SecondFactorSetup> {
  const userId = askingPerson(ctx);
  const { email } = await getUser(ctx.db, userId);
  const secret = base32(randomBytes(20));
  const fresh = { secretSealed: seal(secret), lastStep: 0 };
  const [begun] = await ctx.db
    .insert(secondFactors)
    .values({ userId, ...fresh })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: fresh,
      setWhere: isNull(secondFactors.confirmedAt),
    })
    .returning({ id: secondFactors.id });
  if (!begun) throw new AppError("CONFLICT", "Two-step sign-in is already on.");
  return { secret, uri: totpUri(secret, email) };
}

/**
 * Switches the second factor on with the first code of the app. Resolves to the recovery codes, which are shown
 * only this once. Throws VALIDATION_ERROR for a wrong code, RATE_LIMIT_EXCEEDED after too many.
 */
export async function confirmSecondFactor(
  ctx: Context,
  { code }: { code: string },
): Promise<RecoveryCodes> {
  const userId = askingPerson(ctx);
  await limitCodeAttempts(ctx.db, userId, ctx.origin?.address ?? "unknown");
  const codes = await ctx.db.transaction(async (tx) => {
    const taken = await takeAppCode(tx, userId, code, "unconfirmed");
    if (!taken) return null;
    const { factorId } = taken;
    await tx.update(secondFactors).set({ confirmedAt: now }).where(eq(secondFactors.id, factorId));
    const recoveryCodes = await replaceRecoveryCodes(tx, factorId);
    await recordOwnAct(tx, ctx, "enable.secondFactor");
    return recoveryCodes;
  });
  if (codes) return { recoveryCodes: codes };
  await recordRefusal(ctx);
  throw invalid("code", "is not the code that the app shows now");
}

/** The confirmed factor of the actor, locked. Throws CONFLICT without one. */
const lockFactor = (ctx: Context) => async (tx: Transaction) => {
  const [factor] = await tx
    .select({ id: secondFactors.id })
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, askingPerson(ctx)), isNotNull(secondFactors.confirmedAt)))
    .for("update");
  if (!factor) throw new AppError("CONFLICT", "Two-step sign-in is off.");
  return factor.id;
};

/**
 * Makes ten new recovery codes; the old ones stop working. Throws VALIDATION_ERROR for a wrong password or code.
 */
export function renewRecoveryCodes(ctx: Context, proof: Proof): Promise<RecoveryCodes> {
  return withProof(ctx, proof, lockFactor(ctx), async (tx, factorId) => {
    const recoveryCodes = await replaceRecoveryCodes(tx, factorId);
    await recordOwnAct(tx, ctx, "renew.recoveryCodes");
    return { recoveryCodes };
  });
}

/** Switches the second factor off. Throws VALIDATION_ERROR for a wrong password or code. */
export function disableSecondFactor(ctx: Context, proof: Proof): Promise<void> {
  return withProof(ctx, proof, lockFactor(ctx), async (tx, factorId) => {
    await tx.delete(secondFactors).where(eq(secondFactors.id, factorId));
    await recordOwnAct(tx, ctx, "disable.secondFactor");
  });
}

/** Switches it off for somebody who has lost the app and the recovery codes. False when it was not on. */
export async function disableSecondFactorOf(db: Database, email: string): Promise<boolean> {
  const user = await findUserByEmail(db, email);
  if (!user) throw notFound();
  return db.transaction(async (tx) => {
    const ended = await tx
      .delete(secondFactors)
      .where(eq(secondFactors.userId, user.id))
      .returning({ on: sql<boolean>`${secondFactors.confirmedAt} is not null` });
    if (!ended.some(({ on }) => on)) return false;
    await auditUser(tx, user.id, {
      action: "disable.secondFactor",
      actor: { type: "system", id: null },
      details: { by: "operator" },
      requestId: "system",
    });
    return true;
  });
}
