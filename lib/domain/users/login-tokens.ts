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
/** Each page shows a button on GET and uses the link on POST, because mail scanners open links first. */
const pages: Record<LoginTokenPurpose, string> = {
  login: "/login/token",
  password_reset: "/sign-in/reset",
  invitation: "/sign-in/invitation",
};

const hashOf = (token: string) => sha256(token).toString("hex");

/** Whether this is a path on our origin: browsers take `//host` and `/\host` for another one. */
export function isLocalPath(path: string): boolean {
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path);
}

/**
 * Creates a single-use link for one purpose; only its hash is stored. It lasts 10 minutes (login), an
 * hour (password_reset) or 7 days (invitation) unless given another life. The url signs in as that user,
 * so show it to nobody who may not.
 */
export async function createLoginToken(
  db: Executor,
  input: {
    userId: string;
    purpose: LoginTokenPurpose;
    redirectTo?: string;
    /** The platform token it is made with: what it signs in ends with that token. */
    platformTokenId?: string;
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
    platformTokenId: input.platformTokenId,
    expiresAt: sql`app_now() + make_interval(secs => ${seconds})`,
  });
  return { token, url: `${env().APP_URL}${pages[input.purpose]}/${token}` };
}

export interface UsedLink {
  user: User;
  redirectTo: string | null;
  /** uuid: the platform token it was made with. */
  platformTokenId: string | null;
}

/**
 * Uses a token up in one statement, so that of many attempts at once only one gets the user. Null when
 * the token is unknown, used, expired or made for another purpose.
 */
export async function consumeLoginToken(
  db: Executor,
  token: string,
  purpose: LoginTokenPurpose,
): Promise<UsedLink | null> {
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
      platformTokenId: loginTokens.platformTokenId,
    });
  if (!used) return null;
  const { redirectTo, platformTokenId, ...user } = used;
  return { user, redirectTo, platformTokenId };
}

/** Whose link this is, without using it up: its page says so before the button is pressed. Null as above. */
export async function findLoginToken(
  db: Executor,
  token: string,
  purpose: LoginTokenPurpose,
): Promise<{ email: string; redirectTo: string | null } | null> {
  const [link] = await db
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
  return link ?? null;
}
