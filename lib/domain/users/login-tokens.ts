import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import type { LoginTokenPurpose } from "@/db/enums";
import { loginTokens, users } from "@/db/schema";
import { env } from "@/lib/ground/env/env";
import { invalid } from "@/lib/ground/errors";
import { randomBase62, sha256 } from "@/lib/ground/secrets";
import type { User } from "./users";

const minute = 60;
const defaultLifeSeconds: Record<LoginTokenPurpose, number> = {
  login: 10 * minute,
  password_reset: 60 * minute,
  invitation: 7 * 24 * 60 * minute,
};
/** Each page shows a button on GET and consumes on POST: mail scanners open links first. */
const pages: Record<LoginTokenPurpose, string> = {
  login: "/login/token",
  password_reset: "/sign-in/reset",
  invitation: "/sign-in/invitation",
};

const hashOf = (token: string) => sha256(token).toString("hex");

/** True for a path on this origin: browsers read `//host` and `/\host` as another one. */
export function isLocalPath(path: string): boolean {
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path);
}

/**
 * Makes a single-use link for one purpose; only its hash is kept. Lives 10 minutes (login), an hour
 * (password_reset) or 7 days (invitation) unless told. The url signs in as that user: whoever may
 * not do that must not be shown it.
 */
export async function createLoginToken(
  db: Executor,
  input: {
    userId: string;
    purpose: LoginTokenPurpose;
    redirectTo?: string;
    expiresInSeconds?: number;
  },
): Promise<{ token: string; url: string }> {
  if (input.redirectTo !== undefined && !isLocalPath(input.redirectTo)) {
    throw invalid("redirectTo", "is not a path on this site");
  }
  const token = randomBase62(43);
  const seconds = input.expiresInSeconds ?? defaultLifeSeconds[input.purpose];
  await db.insert(loginTokens).values({
    userId: input.userId,
    purpose: input.purpose,
    hash: hashOf(token),
    redirectTo: input.redirectTo,
    expiresAt: sql`app_now() + make_interval(secs => ${seconds})`,
  });
  return { token, url: `${env().APP_URL}${pages[input.purpose]}/${token}` };
}

/**
 * Uses a token up: one statement, so of many at once a single one gets the user. Null when it is
 * unknown, used, expired or made for another purpose.
 */
export async function consumeLoginToken(
  db: Executor,
  token: string,
  purpose: LoginTokenPurpose,
): Promise<{ user: User; redirectTo: string | null } | null> {
  const [used] = await db
    .update(loginTokens)
    .set({ usedAt: sql`app_now()` })
    .from(users)
    .where(
      and(
        eq(loginTokens.hash, hashOf(token)),
        eq(loginTokens.purpose, purpose),
        isNull(loginTokens.usedAt),
        gt(loginTokens.expiresAt, sql`app_now()`),
        eq(users.id, loginTokens.userId),
      ),
    )
    .returning({
      id: users.id,
      email: users.email,
      name: users.name,
      redirectTo: loginTokens.redirectTo,
    });
  if (!used) return null;
  const { redirectTo, ...user } = used;
  return { user, redirectTo };
}

/** Whom a link is for, without using it up: what its page says before the button is pressed. Null as above. */
export async function findLoginToken(
  db: Executor,
  token: string,
  purpose: LoginTokenPurpose,
): Promise<{ email: string; redirectTo: string | null } | null> {
  const [found] = await db
    .select({ email: users.email, redirectTo: loginTokens.redirectTo })
    .from(loginTokens)
    .innerJoin(users, eq(users.id, loginTokens.userId))
    .where(
      and(
        eq(loginTokens.hash, hashOf(token)),
        eq(loginTokens.purpose, purpose),
        isNull(loginTokens.usedAt),
        gt(loginTokens.expiresAt, sql`app_now()`),
      ),
    );
  return found ?? null;
}
