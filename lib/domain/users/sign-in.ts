import type { Database, Transaction } from "@/db/client";
import type { FirstFactor } from "@/db/enums";
import type { Origin } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import { log } from "@/lib/ground/log";
import { limitCodeAttempts } from "./attempts";
import { auditRefusedLink, auditUser } from "./audit";
import { asksForCode, takeCode, type TakenCode } from "./codes";
import { consumeLoginToken, createPendingSignIn, findPendingSignIn } from "./login-tokens";
import { refusalOfOwnWays, requireOwnWays } from "./own-ways";
import { lockedPassword, verifyPassword } from "./passwords";
import { createSession } from "./sessions";
import { findUserByEmail, type User } from "./users";

/** Where an attempt to sign in comes from: the session and the audit log name it. */
export interface SignInOrigin extends Origin {
  requestId: string;
}

export interface StartedSession {
  /** uuid of the session. */
  sessionId: string;
  user: User;
}

/** The first factor was right; the sign-in waits for the second one, for ten minutes. */
export interface PendingSignIn {
  /** Names this sign-in; it opens nothing without a code. */
  pendingToken: string;
}

/** What somebody has shown so far. */
interface FirstStep {
  user: User;
  by: FirstFactor;
  platformTokenId: string | null;
}

/**
 * Starts a session once all that is asked for was shown: a passkey is asked for nothing more. Throws NOT_ALLOWED for
 * people who sign in at the identity provider alone and have come another way.
 */
export async function startSession(
  tx: Transaction,
  { user, by, platformTokenId }: Omit<FirstStep, "by"> & { by: FirstFactor | "passkey" },
  origin: SignInOrigin,
  second?: TakenCode,
): Promise<StartedSession> {
  if (by !== "identity") requireOwnWays(user.email);
  const { address, userAgent, requestId } = origin;
  const input = { userId: user.id, platformTokenId, address, userAgent };
  const { id, onlyProjectId } = await createSession(tx, input);
  const act = {
    actor: { type: "user", id: user.id },
    projectId: onlyProjectId,
    origin,
    requestId,
  } as const;
  if (second?.kind === "recoveryCode") {
    const details = { left: second.left };
    await auditUser(tx, user.id, { ...act, action: "use.recoveryCode", details });
  }
  await auditUser(tx, user.id, {
    ...act,
    action: "start.session",
    details: { by, ...(second && { second: second.kind }) },
  });
  return { sessionId: id, user };
}

async function firstStepDone(
  tx: Transaction,
  step: FirstStep,
  origin: SignInOrigin,
): Promise<StartedSession | PendingSignIn> {
  if (!(await asksForCode(tx, step.user.id))) return startSession(tx, step, origin);
  if (step.by !== "identity") requireOwnWays(step.user.email);
  return { pendingToken: await createPendingSignIn(tx, { ...step, userId: step.user.id }) };
}

/**
 * Starts the session, or has it wait for the second factor of those who have one. Throws NOT_ALLOWED as
 * `startSession` does.
 */
export function afterFirstStep(
  db: Database,
  step: FirstStep,
  origin: SignInOrigin,
): Promise<StartedSession | PendingSignIn> {
  return db.transaction((tx) => firstStepDone(tx, step, origin));
}

async function auditRefusal(db: Database, email: string, origin: SignInOrigin): Promise<void> {
  const user = await findUserByEmail(db, email);
  if (!user) return;
  await auditUser(db, user.id, {
    action: "refuse.session",
    actor: { type: "system", id: null },
    details: { by: "password" },
    origin,
    requestId: origin.requestId,
  });
}

/**
 * Starts a session for the user with this address and password, or a sign-in that waits for their second
 * factor; null for any other pair. Throws NOT_ALLOWED as `startSession` does.
 */
export async function signInByPassword(
  db: Database,
  input: { email: string; password: string },
  origin: SignInOrigin,
): Promise<StartedSession | PendingSignIn | null> {
  // First, so that the answer does not depend on the password.
  requireOwnWays(input.email);
  const verified = await verifyPassword(db, input);
  // A password that was changed while this one was verified has ended every session: there is to be no later one.
  const started =
    verified &&
    (await db.transaction(async (tx) => {
      if (!(await verified.stillHolds(tx))) return null;
      return firstStepDone(
        tx,
        { user: verified.user, by: "password", platformTokenId: null },
        origin,
      );
    }));
  if (started) return started;
  // Not awaited: the time it takes would reveal whether the address is known.
  auditRefusal(db, input.email, origin).catch((error: unknown) => {
    log.error(
      { name: error instanceof Error ? error.name : "unknown" },
      "a refused sign-in could not be recorded",
    );
  });
  return null;
}

/**
 * Starts a session for the user of a one-time link, which it uses up, or a sign-in that waits for their
 * second factor; null when the link does not work.
 */
export async function signInByLink(
  db: Database,
  input: { token: string; purpose: "login" | "invitation" },
  origin: SignInOrigin,
): Promise<StartedSession | PendingSignIn | null> {
  const started = await db.transaction(async (tx) => {
    const used = await consumeLoginToken(tx, input.token, input.purpose);
    if (!used) return null;
    const { user, platformTokenId } = used;
    // Whoever may not sign in by it has used it up all the same.
    const refusal = refusalOfOwnWays(user.email);
    if (refusal) return { refusal };
    const by =
      platformTokenId !== null
        ? "platformToken"
        : input.purpose === "invitation"
          ? "invitation"
          : "link";
    return firstStepDone(tx, { user, by, platformTokenId }, origin);
  });
  if (!started) await auditRefusedLink(db, input, origin);
  if (started && "refusal" in started) throw started.refusal;
  return started;
}

const tooLate = () =>
  new AppError("NOT_ALLOWED", "This sign-in has ended: begin again with your address.");

/**
 * Ends a sign-in that waits for its second factor with a code of the app or a recovery code, and starts the
 * session. Null for a wrong code, after which another may be tried. Throws NOT_ALLOWED when the sign-in no
 * longer waits, RATE_LIMIT_EXCEEDED after too many codes.
 */
export async function signInByCode(
  db: Database,
  input: { pendingToken: string; code: string },
  origin: SignInOrigin,
): Promise<StartedSession | null> {
  const step = await findPendingSignIn(db, input.pendingToken);
  if (!step) throw tooLate();
  await limitCodeAttempts(db, step.user.id, origin.address);
  const started = await db.transaction(async (tx) => {
    // Before the code, as who changes the password with a code does.
    await lockedPassword(tx, step.user.id);
    const taken = await takeCode(tx, step.user.id, input.code);
    if (!taken) return null;
    if (!(await consumeLoginToken(tx, input.pendingToken, "second_factor"))) throw tooLate();
    return startSession(tx, step, origin, taken);
  });
  if (started) return started;
  await auditUser(db, step.user.id, {
    action: "refuse.session",
    actor: { type: "system", id: null },
    details: { by: "secondFactor" },
    origin,
    requestId: origin.requestId,
  });
  return null;
}
