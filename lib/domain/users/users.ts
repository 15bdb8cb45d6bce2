import { eq, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { users } from "@/db/schema";
import { notFound } from "@/lib/ground/errors";
import { validate } from "@/lib/ground/validate";
import { userEmail, userName } from "./schema";

export interface User {
  /** uuid */
  id: string;
  email: string;
  name: string;
}

const columns = { id: users.id, email: users.email, name: users.name };

/** The user with this address, compared case-insensitively; null when there is none. */
export async function findUserByEmail(db: Executor, email: string): Promise<User | null> {
  const [user] = await db
    .select(columns)
    .from(users)
    .where(sql`lower(${users.email}) = lower(${email.trim()})`);
  return user ?? null;
}

/** Throws NOT_FOUND when no user has this uuid. */
export async function getUser(db: Executor, userId: string): Promise<User> {
  const [user] = await db.select(columns).from(users).where(eq(users.id, userId));
  if (!user) throw notFound();
  return user;
}

/**
 * The user with this address, created when there is none. Concurrent calls agree on one user.
 * Throws VALIDATION_ERROR for an invalid address.
 */
export async function findOrCreateUser(
  db: Executor,
  input: { email: string; name?: string },
): Promise<User> {
  const email = validate(userEmail, input.email, ["email"]);
  const name = validate(userName, input.name ?? "", ["name"]);
  const [created] = await db
    .insert(users)
    .values({ email, name })
    .onConflictDoNothing()
    .returning(columns);
  // The conflicting insert has committed by now, so this statement's snapshot contains it.
  const user = created ?? (await findUserByEmail(db, email));
  if (!user) throw new Error("The user was deleted while being looked up.");
  return user;
}
