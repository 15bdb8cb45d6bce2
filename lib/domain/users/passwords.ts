import { hash, verify } from "@node-rs/argon2";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database, Executor, Transaction } from "@/db/client";
import type { Origin } from "@/lib/ground/context";
import { loginTokens, users } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { AppError } from "@/lib/ground/errors";
import { validate } from "@/lib/ground/validate";
import { endAssistantsOf } from "@/lib/domain/assistants/tokens";
import { auditRefusedLink, auditUser } from "./audit";
import { consumeLoginToken } from "./login-tokens";
import { newPassword } from "./schema";
import { endSessionsOf } from "./sessions";
import type { User } from "./users";

// OWASP's argon2id parameters (Password Storage Cheat Sheet): 19 MiB, two passes, one lane.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

let decoy: Promise<string> | undefined;

interface Typed {
  email: string;
  password: string;
}

async function matching(
  db: Executor,
  input: Typed,
): Promise<{ user: User; passwordHash: string } | null> {
  const [row] = await db
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      passwordHash: users.passwordHash,
    })
    .from(users)
    .where(sql`lower(${users.email}) = lower(${input.email.trim()})`);
  const stored = row?.passwordHash ?? (await (decoy ??= hash("decoy", parameters)));
  const matches = await verify(stored, input.password.normalize("NFKC"));
  if (!row?.passwordHash || !matches) return null;
  const { id, email, name, passwordHash } = row;
  return { user: { id, email, name }, passwordHash };
}

/** Locks the user (uuid) until the transaction ends, against another change of the password. */
export async function lockedPassword(tx: Transaction, userId: string): Promise<string | null> {
  const [row] = await tx
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, userId))
    .for("no key update");
  return row?.passwordHash ?? null;
}

export interface Verified {
  user: User;
  /** Whether the user still has this password; locks them until the transaction ends, against a change of it. */
  stillHolds: (tx: Transaction) => Promise<boolean>;
}

/**
 * Verifies an address and its password ahead of a transaction, since that takes long; null for any other pair. An
 * unknown address takes as long as a wrong password, so that the time taken does not reveal who has an account.
 */
export async function verifyPassword(db: Executor, input: Typed): Promise<Verified | null> {
  const found = await matching(db, input);
  if (!found) return null;
  const { user, passwordHash } = found;
  return { user, stillHolds: async (tx) => (await lockedPassword(tx, user.id)) === passwordHash };
}

/**
 * Sets a user's password and ends their sessions, but for `keep` (uuid); resolves to how many. Throws
 * VALIDATION_ERROR for a password that is too short or too long.
 */
export async function setPassword(
  db: Executor,
  userId: string,
  password: string,
  keep?: string,
): Promise<number> {
  const text = validate(newPassword, password, ["password"]);
  const passwordHash = await hash(text.normalize("NFKC"), parameters);
  await db.update(users).set({ passwordHash, updatedAt: now }).where(eq(users.id, userId));
  return endSessionsOf(db, userId, keep);
}

/**
 * Sets a password with a reset or invitation link, and ends the user's sessions, other links and assistants: whoever
 * had got in is out. Throws
 * VALIDATION_ERROR for an unacceptable password (the link still works), NOT_ALLOWED for a link that does not work.
 */
export async function resetPassword(
  db: Database,
  input: {
    token: string;
    password: string;
    purpose: "password_reset" | "invitation";
    /** Where the request came from, for the audit log. */
    origin?: Origin;
    requestId?: string;
  },
): Promise<User> {
  validate(newPassword, input.password, ["password"]);
  const requestId = input.requestId ?? "system";
  const user = await db.transaction(async (tx) => {
    const used = await consumeLoginToken(tx, input.token, input.purpose);
    if (!used) return null;
    await setPassword(tx, used.user.id, input.password);
    await tx
      .update(loginTokens)
      .set({ usedAt: now })
      .where(and(eq(loginTokens.userId, used.user.id), isNull(loginTokens.usedAt)));
    await endAssistantsOf(tx, used.user.id, { requestId, origin: input.origin });
    await auditUser(tx, used.user.id, {
      action: "reset.password",
      actor: { type: "user", id: used.user.id },
      details: { by: input.purpose },
      origin: input.origin,
      requestId,
    });
    return used.user;
  });
  if (user) return user;
  await auditRefusedLink(db, input, { ...input.origin, requestId });
  throw new AppError("NOT_ALLOWED", "This link has already been used or has expired.");
}
