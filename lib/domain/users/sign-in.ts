import type { Database } from "@/db/client";
import type { Origin } from "@/lib/ground/context";
import { log } from "@/lib/ground/log";
import { auditRefusedLink, auditUser } from "./audit";
import { consumeLoginToken } from "./login-tokens";
import { verifyPassword } from "./passwords";
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

async function start(
  db: Database,
  user: User,
  origin: SignInOrigin,
  by: "password" | "link" | "invitation" | "platformToken",
  platformTokenId: string | null,
): Promise<StartedSession> {
  const { address, userAgent, requestId } = origin;
  return db.transaction(async (tx) => {
    const input = { userId: user.id, platformTokenId, address, userAgent };
    const { id, onlyProjectId } = await createSession(tx, input);
    await auditUser(tx, user.id, {
      action: "start.session",
      actor: { type: "user", id: user.id },
      projectId: onlyProjectId,
      details: { by },
      origin,
      requestId,
    });
    return { sessionId: id, user };
  });
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

/** Starts a session for the user with this address and password; null for any other pair. */
export async function signInByPassword(
  db: Database,
  input: { email: string; password: string },
  origin: SignInOrigin,
): Promise<StartedSession | null> {
  const user = await verifyPassword(db, input);
  if (user) return start(db, user, origin, "password", null);
  // Not awaited: the time it takes would reveal whether the address is known.
  auditRefusal(db, input.email, origin).catch((error: unknown) => {
    log.error(
      { name: error instanceof Error ? error.name : "unknown" },
      "a refused sign-in could not be recorded",
    );
  });
  return null;
}

/** Starts a session for the user of a one-time link, which it uses up; null when the link does not work. */
export async function signInByLink(
  db: Database,
  input: { token: string; purpose: "login" | "invitation" },
  origin: SignInOrigin,
): Promise<StartedSession | null> {
  const used = await consumeLoginToken(db, input.token, input.purpose);
  if (!used) {
    await auditRefusedLink(db, input, origin);
    return null;
  }
  const { user, platformTokenId } = used;
  const by =
    platformTokenId !== null
      ? "platformToken"
      : input.purpose === "invitation"
        ? "invitation"
        : "link";
  return start(db, user, origin, by, platformTokenId);
}
