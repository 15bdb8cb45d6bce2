import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database, Executor, Transaction } from "@/db/client";
import { users } from "@/db/schema";
import { auditUser } from "@/lib/domain/users/audit";
import { setPassword } from "@/lib/domain/users/passwords";
import { newPassword, userEmail } from "@/lib/domain/users/schema";
import type { SignInOrigin } from "@/lib/domain/users/sign-in";
import { findUserByEmail, type User } from "@/lib/domain/users/users";
import { env } from "@/lib/ground/env/env";
import { AppError } from "@/lib/ground/errors";
import { seal, unseal } from "@/lib/ground/secrets";
import { validate } from "@/lib/ground/validate";
import { createProject } from "./projects";
import { projectName } from "./schema";
import { mailSignUp } from "./sign-up-mail";

const lifeSeconds = 24 * 60 * 60;

/** What a mailed link says, sealed: no row is kept for people who never come back. */
const sealedSignUp = z.object({ signUp: userEmail, untilSeconds: z.number() });

/** Whether people may make accounts for themselves. */
export const signUpIsOpen = (): boolean => env().SIGN_UP === "open";

/** Throws NOT_ALLOWED where accounts are made by invitation. */
export function requireOpenSignUp(): void {
  if (signUpIsOpen()) return;
  throw new AppError("NOT_ALLOWED", "Accounts are made by invitation here.");
}

async function secondsNow(db: Executor): Promise<number> {
  const [row] = await db.execute<{ seconds: number }>(
    sql`select extract(epoch from app_now())::int as seconds`,
  );
  return row?.seconds ?? 0;
}

/**
 * Mails the link that makes an account, or, to people who have one, that they have: only who reads that mailbox
 * learns which. The password comes with the link, so that nobody can set it for somebody else's address.
 */
export async function requestSignUp(
  db: Database,
  input: { email: string; languages?: readonly string[] },
): Promise<void> {
  requireOpenSignUp();
  const user = await findUserByEmail(db, input.email);
  const { APP_URL } = env();
  const { languages = [] } = input;
  if (user) {
    await mailSignUp(db, { kind: "known", to: user.email, url: `${APP_URL}/sign-in`, languages });
    return;
  }
  const untilSeconds = (await secondsNow(db)) + lifeSeconds;
  const token = seal(JSON.stringify({ signUp: input.email, untilSeconds }));
  const url = `${APP_URL}/sign-up/${token}`;
  await mailSignUp(db, { kind: "signUp", to: input.email, url, languages });
}

/** The address that a link makes an account for; null when it has expired, was used or is not ours. */
export async function findSignUp(db: Executor, token: string): Promise<string | null> {
  if (!signUpIsOpen()) return null;
  let text: unknown;
  try {
    text = JSON.parse(unseal(token));
  } catch {
    // Neither sealed by us nor about a sign-up.
    return null;
  }
  const parsed = sealedSignUp.safeParse(text);
  if (!parsed.success || parsed.data.untilSeconds < (await secondsNow(db))) return null;
  const { signUp: email } = parsed.data;
  return (await findUserByEmail(db, email)) ? null : email;
}

/** Makes an account with its first project, once its address is proven; null when there is one already. */
export async function makeAccount(
  tx: Transaction,
  { email, name, projectName }: { email: string; name: string; projectName: string },
  origin: SignInOrigin,
): Promise<User | null> {
  const [user] = await tx
    .insert(users)
    .values({ email, name })
    .onConflictDoNothing()
    .returning({ id: users.id, email: users.email, name: users.name });
  if (!user) return null;
  const { requestId } = origin;
  const actor = { type: "user", id: user.id } as const;
  await createProject(tx, { name: projectName, ownerUserId: user.id, actor, requestId });
  await auditUser(tx, user.id, { action: "create.user", actor, details: {}, origin, requestId });
  return user;
}

/**
 * Makes the account that a link is for, with its password and first project. Throws VALIDATION_ERROR for an
 * unacceptable password or name (the link still works), NOT_ALLOWED for a link that does not work.
 */
export async function finishSignUp(
  db: Database,
  input: { token: string; name: string; password: string },
  origin: SignInOrigin,
): Promise<{ email: string }> {
  requireOpenSignUp();
  const name = validate(projectName, input.name, ["name"]);
  validate(newPassword, input.password, ["password"]);
  const dead = new AppError("NOT_ALLOWED", "This link has already been used or has expired.");
  const email = await findSignUp(db, input.token);
  if (email === null) throw dead;
  return db.transaction(async (tx) => {
    const user = await makeAccount(tx, { email, name: "", projectName: name }, origin);
    if (!user) throw dead;
    await setPassword(tx, user.id, input.password);
    return { email };
  });
}
