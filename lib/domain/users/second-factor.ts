import { randomBytes } from "node:crypto";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import type { AuditAction } from "@/db/enums";
import { secondFactors, users } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid, notFound } from "@/lib/ground/errors";
import { seal } from "@/lib/ground/secrets";
import { limitCodeAttempts } from "./attempts";
import { auditUser } from "./audit";
import { countRecoveryCodes, replaceRecoveryCodes, takeAppCode, takeCode } from "./codes";
import { verifyPassword } from "./passwords";
import type { Proof, RecoveryCodes, SecondFactor, SecondFactorSetup } from "./schema";
import { base32, totpUri } from "./totp";
import { findUserByEmail, getUser } from "./users";

/**
 * The person who is asking about their own account. Throws NOT_ALLOWED for keys and platform tokens, and
 * for a session that a platform token's link started: it stands for one project, not for the person.
 */
function askingPerson(ctx: Context): string {
  requireRole(ctx, "viewer");
  const { actor, session } = ctx;
  if (actor.type !== "user" || !session || session.onlyProject) {
    throw new AppError("NOT_ALLOWED", "Only somebody who has signed in themselves may do this.");
  }
  return actor.id;
}

function record(
  db: Database | Transaction,
  ctx: Context,
  action: AuditAction,
  details: Record<string, unknown> = {},
): Promise<void> {
  const { actor, origin, requestId } = ctx;
  return auditUser(db, askingPerson(ctx), { action, actor, details, origin, requestId });
}

const recordRefusal = (ctx: Context) => record(ctx.db, ctx, "refuse.session", { by: "account" });

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
 * Makes a secret for the actor's authenticator app; nothing is asked for before a code has confirmed it.
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
  if (!begun) throw new AppError("CONFLICT", "Two-step sign-in is on already.");
  return { secret, uri: totpUri(secret, email) };
}

/**
 * Switches the second factor on with the first code of the app. Resolves to the recovery codes, which are
 * shown this once. Throws VALIDATION_ERROR for a wrong code, RATE_LIMIT_EXCEEDED after too many.
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
    await record(tx, ctx, "enable.secondFactor");
    return recoveryCodes;
  });
  if (codes) return { recoveryCodes: codes };
  await recordRefusal(ctx);
  throw invalid("code", "is not the code that the app shows now");
}

/** Does something to the actor's second factor, once the password or a code has shown that it is them. */
async function withProof<Result>(
  ctx: Context,
  proof: Proof,
  act: (tx: Transaction, factorId: string) => Promise<Result>,
): Promise<Result> {
  const userId = askingPerson(ctx);
  await limitCodeAttempts(ctx.db, userId, ctx.origin?.address ?? "unknown");
  const { password, code } = proof;
  const { email } = await getUser(ctx.db, userId);
  const byPassword = password !== undefined && (await verifyPassword(ctx.db, { email, password }));
  const outcome = await ctx.db.transaction(async (tx) => {
    const [factor] = await tx
      .select({ id: secondFactors.id })
      .from(secondFactors)
      .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt)))
      .for("update");
    if (!factor) throw new AppError("CONFLICT", "Two-step sign-in is off.");
    const taken = byPassword ? null : await takeCode(tx, userId, code ?? "");
    if (!byPassword && !taken) return null;
    if (taken?.kind === "recoveryCode") {
      await record(tx, ctx, "use.recoveryCode", { left: taken.left });
    }
    return { result: await act(tx, factor.id) };
  });
  if (outcome) return outcome.result;
  await recordRefusal(ctx);
  throw password === undefined
    ? invalid("code", "is wrong, or has been used")
    : invalid("password", "is wrong");
}

/** Makes ten new recovery codes; the old ones end. Throws VALIDATION_ERROR for a wrong password or code. */
export function renewRecoveryCodes(ctx: Context, proof: Proof): Promise<RecoveryCodes> {
  return withProof(ctx, proof, async (tx, factorId) => {
    const recoveryCodes = await replaceRecoveryCodes(tx, factorId);
    await record(tx, ctx, "renew.recoveryCodes");
    return { recoveryCodes };
  });
}

/** Switches the second factor off. Throws VALIDATION_ERROR for a wrong password or code. */
export function disableSecondFactor(ctx: Context, proof: Proof): Promise<void> {
  return withProof(ctx, proof, async (tx, factorId) => {
    await tx.delete(secondFactors).where(eq(secondFactors.id, factorId));
    await record(tx, ctx, "disable.secondFactor");
  });
}

/** Switches it off for somebody who has lost app and recovery codes. False when it was not on. */
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
