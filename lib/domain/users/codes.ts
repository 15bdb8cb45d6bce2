import { randomBytes } from "node:crypto";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Executor, Transaction } from "@/db/client";
import { recoveryCodes, secondFactors } from "@/db/schema";
import { sha256, unsealOrNull } from "@/lib/ground/secrets";
import { base32, stepOfCode, stepSeconds } from "./totp";

const recoveryCodeCount = 10;

/** The typed text, without the separators that people and password managers put between groups. */
const bare = (typed: string) => typed.replace(/[\s-]/g, "").toUpperCase();
const hashOf = (bareCode: string) => sha256(bareCode).toString("hex");

/** Whether signing in asks this user for a code. */
export async function asksForCode(db: Executor, userId: string): Promise<boolean> {
  const [factor] = await db
    .select({ id: secondFactors.id })
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt)));
  return factor !== undefined;
}

/**
 * Accepts a code of the confirmed app or, with `unconfirmed`, of one waiting for its first code. The row is locked,
 * so that of many concurrent attempts with one code only one gets through.
 */
export async function takeAppCode(
  tx: Transaction,
  userId: string,
  typed: string,
  which: "confirmed" | "unconfirmed" = "confirmed",
): Promise<{ factorId: string } | null> {
  const [factor] = await tx
    .select({
      id: secondFactors.id,
      sealed: secondFactors.secretSealed,
      lastStep: secondFactors.lastStep,
      step: sql<number>`floor(extract(epoch from app_now()) / ${stepSeconds}::int)::int`,
    })
    .from(secondFactors)
    .where(
      and(
        eq(secondFactors.userId, userId),
        which === "confirmed"
          ? isNotNull(secondFactors.confirmedAt)
          : isNull(secondFactors.confirmedAt),
      ),
    )
    .for("update");
  if (!factor) return null;
  const secret = unsealOrNull(factor.sealed);
  const step = secret === null ? null : stepOfCode(secret, bare(typed), factor);
  if (step === null) return null;
  await tx.update(secondFactors).set({ lastStep: step }).where(eq(secondFactors.id, factor.id));
  return { factorId: factor.id };
}

/** Uses up a recovery code; resolves to how many are left, null for an invalid one. */
async function takeRecoveryCode(
  tx: Transaction,
  userId: string,
  typed: string,
): Promise<number | null> {
  const [used] = await tx
    .update(recoveryCodes)
    .set({ usedAt: sql`app_now()` })
    .from(secondFactors)
    .where(
      and(
        eq(secondFactors.id, recoveryCodes.secondFactorId),
        eq(secondFactors.userId, userId),
        isNotNull(secondFactors.confirmedAt),
        eq(recoveryCodes.hash, hashOf(bare(typed))),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ factorId: recoveryCodes.secondFactorId });
  return used ? countRecoveryCodes(tx, used.factorId) : null;
}

/** How many recovery codes are still valid. */
export function countRecoveryCodes(db: Executor, factorId: string): Promise<number> {
  return db.$count(
    recoveryCodes,
    and(eq(recoveryCodes.secondFactorId, factorId), isNull(recoveryCodes.usedAt)),
  );
}

/** Replaces all recovery codes of a factor. Only hashes are stored: the codes it resolves to are shown once. */
export async function replaceRecoveryCodes(tx: Transaction, factorId: string): Promise<string[]> {
  // 80 bits each: nobody finds one from its hash, or by trying.
  const codes = Array.from({ length: recoveryCodeCount }, () => base32(randomBytes(10)));
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.secondFactorId, factorId));
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ secondFactorId: factorId, hash: hashOf(code) })));
  return codes.map((code) => (code.toLowerCase().match(/.{4}/g) ?? []).join("-"));
}

export type TakenCode = { kind: "code" } | { kind: "recoveryCode"; left: number };

/**
 * Checks what somebody typed as their second factor: the app's code or a recovery code. Null when it is neither.
 */
export async function takeCode(
  tx: Transaction,
  userId: string,
  typed: string,
): Promise<TakenCode | null> {
  if (/^\d{6}$/.test(bare(typed))) {
    return (await takeAppCode(tx, userId, typed)) && { kind: "code" };
  }
  const left = await takeRecoveryCode(tx, userId, typed);
  return left === null ? null : { kind: "recoveryCode", left };
}
