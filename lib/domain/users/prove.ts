import { sql } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import type { AuditAction } from "@/db/audit-actions";
import { secondFactors, sessions, users } from "@/db/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid } from "@/lib/ground/errors";
import { limitCodeAttempts } from "./attempts";
import { auditUser } from "./audit";
import { takeCode } from "./codes";
import { verifyPassword } from "./passwords";
import type { FreshProof, Proof } from "./schema";
import { getUser } from "./users";

/**
 * The person acting on their own account. Throws NOT_ALLOWED for keys and platform tokens, and for a session
 * started by a platform token's link, which stands for one project, not for the person.
 */
export function askingPerson(ctx: Context): string {
  requireRole(ctx, "viewer");
  const { actor, session } = ctx;
  if (actor.type !== "user" || !session || session.onlyProject) {
    throw new AppError("NOT_ALLOWED", "Only somebody who has signed in themselves may do this.");
  }
  return actor.id;
}

/**
 * The member acting in their project, if only through a platform token's link. Throws NOT_ALLOWED for keys and
 * tokens: they stand for no person.
 */
export function askingMember(ctx: Context): string {
  requireRole(ctx, "viewer");
  if (ctx.actor.type !== "user") {
    throw new AppError("NOT_ALLOWED", "Only somebody who has signed in may do this.");
  }
  return ctx.actor.id;
}

/** Records what the person did with their account. */
export function recordOwnAct(
  db: Database | Transaction,
  ctx: Context,
  action: AuditAction,
  details: Record<string, unknown> = {},
): Promise<void> {
  const { actor, origin, requestId } = ctx;
  return auditUser(db, askingPerson(ctx), { action, actor, details, origin, requestId });
}

export const recordRefusal = (ctx: Context) =>
  recordOwnAct(ctx.db, ctx, "refuse.session", { by: "account" });

/**
 * Does something in a transaction once the password, a code of the app or a recovery code has proven who is asking.
 * `prepare` runs first, before a code is used up. Throws VALIDATION_ERROR for a wrong one, RATE_LIMIT_EXCEEDED
 * after too many.
 */
export async function withProof<Prepared, Result>(
  ctx: Context,
  proof: Proof,
  prepare: (tx: Transaction) => Promise<Prepared>,
  act: (tx: Transaction, prepared: Prepared) => Promise<Result>,
): Promise<Result> {
  const userId = askingPerson(ctx);
  await limitCodeAttempts(ctx.db, userId, ctx.origin?.address ?? "unknown");
  const { password, code } = proof;
  const { email } = await getUser(ctx.db, userId);
  const verified =
    password === undefined ? null : await verifyPassword(ctx.db, { email, password });
  const outcome = await ctx.db.transaction(async (tx) => {
    // It may have been changed meanwhile, and just to keep such a request out.
    if (verified && !(await verified.stillHolds(tx))) return null;
    const prepared = await prepare(tx);
    const taken = verified ? null : await takeCode(tx, userId, code ?? "");
    if (!verified && !taken) return null;
    if (taken?.kind === "recoveryCode") {
      await recordOwnAct(tx, ctx, "use.recoveryCode", { left: taken.left });
    }
    return { result: await act(tx, prepared) };
  });
  if (outcome) return outcome.result;
  await recordRefusal(ctx);
  throw password === undefined
    ? invalid("code", "is wrong, or has been used")
    : invalid("password", "is wrong");
}

const freshMinutes = 15;

/** Whether the person has a password or app to prove their identity with, or has just signed in. */
async function proofsOf(ctx: Context): Promise<{ hasProof: boolean; isFresh: boolean }> {
  const [row] = await ctx.db.execute<{ hasProof: boolean; isFresh: boolean }>(sql`
    select ${users.passwordHash} is not null or exists (
        select from ${secondFactors} where ${secondFactors.userId} = ${users.id}
          and ${secondFactors.confirmedAt} is not null) as "hasProof",
      exists (
        select from ${sessions} where ${sessions.id} = ${ctx.session?.id ?? null}::uuid
          and ${sessions.userId} = ${users.id}
          and ${sessions.createdAt} > app_now() - make_interval(mins => ${freshMinutes})) as "isFresh"
    from ${users} where ${users.id} = ${askingPerson(ctx)}`);
  return row ?? { hasProof: true, isFresh: false };
}

/**
 * The same for people who may have neither password nor app: having signed in by link or passkey a moment ago proves
 * who they are. Throws NOT_ALLOWED when that was longer ago.
 */
export async function withFreshProof<Prepared, Result>(
  ctx: Context,
  proof: FreshProof,
  prepare: (tx: Transaction) => Promise<Prepared>,
  act: (tx: Transaction, prepared: Prepared) => Promise<Result>,
): Promise<Result> {
  const { hasProof, isFresh } = await proofsOf(ctx);
  if (!hasProof) {
    if (isFresh) return ctx.db.transaction(async (tx) => act(tx, await prepare(tx)));
    throw new AppError(
      "NOT_ALLOWED",
      `You have no password: sign out, sign in again, and do this within ${freshMinutes} minutes.`,
    );
  }
  if (proof.password === undefined && proof.code === undefined) {
    throw invalid("password", "is required: either your password or a code");
  }
  return withProof(ctx, proof, prepare, act);
}
