import { and, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import type { FirstFactor, LoginTokenPurpose } from "@/db/enums";
import { loginTokens, platformTokens, users } from "@/db/schema";
import { env } from "@/lib/ground/env/env";
import { invalid } from "@/lib/ground/errors";
import { randomBase62, sha256 } from "@/lib/ground/secrets";
import type { User } from "./users";

const minute = 60;
const defaultLifeSeconds: Record<LoginTokenPurpose, number> = {
  login: 10 * minute,
  password_reset: 60 * minute,
  invitation: 7 * 24 * 60 * minute,
  second_factor: 10 * minute,
};
type LinkPurpose = Exclude<LoginTokenPurpose, "second_factor">;
/** Each page shows a button on GET and uses the link on POST, because mail scanners open links first. */
const pages: Record<LinkPurpose, string> = {
  login: "/login/token",
  password_reset: "/sign-in/reset",
  invitation: "/sign-in/invitation",
};

const hashOf = (token: string) => sha256(token).toString("hex");

/** Whether this is a path on our origin: browsers take `//host` and `/\host` for another one. */
export function isLocalPath(path: string): boolean {
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path);
}

interface TokenInput {
  userId: string;
  redirectTo?: string;
  platformTokenId?: string | null;
  expiresInSeconds?: number;
  firstFactor?: FirstFactor;
}

async function insertToken(
  db: Executor,
  purpose: LoginTokenPurpose,
  { expiresInSeconds = defaultLifeSeconds[purpose], ...input }: TokenInput,
): Promise<string> {
  const token = randomBase62(43);
  await db.insert(loginTokens).values({
    ...input,
    purpose,
    hash: hashOf(token),
    expiresAt: sql`app_now() + make_interval(secs => ${expiresInSeconds})`,
  });
  return token;
}

/**
 * Creates a single-use link for one purpose; only its hash is stored. It lasts 10 minutes (login), an
 * hour (password_reset) or 7 days (invitation) unless given another life. The url signs in as that user,
 * so never show it to anybody else.
 */
export async function createLoginToken(
  db: Executor,
  input: {
    userId: string;
    purpose: LinkPurpose;
    redirectTo?: string;
    /** The platform token it was made with: its sessions end with that token. */
    platformTokenId?: string;
    expiresInSeconds?: number;
  },
): Promise<{ token: string; url: string }> {
  if (input.redirectTo !== undefined && !isLocalPath(input.redirectTo)) {
    throw invalid("redirectTo", "is not a path on this site");
  }
  const { purpose, ...rest } = input;
  const token = await insertToken(db, purpose, rest);
  return { token, url: `${env().APP_URL}${pages[purpose]}/${token}` };
}

/** A token that was made for this, and is neither used nor expired. */
const usable = (token: string, purpose: LoginTokenPurpose) =>
  and(
    eq(loginTokens.hash, hashOf(token)),
    eq(loginTokens.purpose, purpose),
    isNull(loginTokens.usedAt),
    gt(loginTokens.expiresAt, sql`app_now()`),
  );

export interface UsedLink {
  user: User;
  redirectTo: string | null;
  /** uuid: the platform token it was made with. */
  platformTokenId: string | null;
}

/**
 * Uses up a token in one statement, so that of many concurrent attempts only one gets the user, who is locked first:
 * what begins with the token is there before their password is changed, which ends it, or does not begin at all.
 * Null when the token is unknown, used, expired or made for another purpose.
 */
export async function consumeLoginToken(
  db: Executor,
  token: string,
  purpose: LoginTokenPurpose,
): Promise<UsedLink | null> {
  // Before the user and the token, as whoever revokes it does.
  await db
    .select({ id: platformTokens.id })
    .from(platformTokens)
    .where(
      inArray(
        platformTokens.id,
        db
          .select({ id: loginTokens.platformTokenId })
          .from(loginTokens)
          .where(usable(token, purpose)),
      ),
    )
    .for("key share");
  await db
    .select({ id: users.id })
    .from(loginTokens)
    .innerJoin(users, eq(users.id, loginTokens.userId))
    .where(usable(token, purpose))
    .for("no key update", { of: users });
  const [used] = await db
    .update(loginTokens)
    .set({ usedAt: sql`app_now()` })
    .from(users)
    .where(and(usable(token, purpose), eq(users.id, loginTokens.userId)))
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

/**
 * Whose link this is, without using it up, so that its page can say so before the button is pressed. Null as above.
 */
export async function findLoginToken(
  db: Executor,
  token: string,
  purpose: LoginTokenPurpose,
): Promise<{ email: string; redirectTo: string | null } | null> {
  const [link] = await db
    .select({ email: users.email, redirectTo: loginTokens.redirectTo })
    .from(loginTokens)
    .innerJoin(users, eq(users.id, loginTokens.userId))
    .where(usable(token, purpose));
  return link ?? null;
}

/** Remembers the proven first factor until the second one is given; expires like a link. */
export function createPendingSignIn(
  db: Executor,
  {
    userId,
    by,
    platformTokenId,
  }: { userId: string; by: FirstFactor; platformTokenId: string | null },
): Promise<string> {
  return insertToken(db, "second_factor", { userId, platformTokenId, firstFactor: by });
}

/** A sign-in that waits for its second factor; null when it was ended, has expired or never began. */
export async function findPendingSignIn(
  db: Executor,
  token: string,
): Promise<{ user: User; by: FirstFactor; platformTokenId: string | null } | null> {
  const [pending] = await db
    .select({
      user: { id: users.id, email: users.email, name: users.name },
      by: loginTokens.firstFactor,
      platformTokenId: loginTokens.platformTokenId,
    })
    .from(loginTokens)
    .innerJoin(users, eq(users.id, loginTokens.userId))
    .where(usable(token, "second_factor"));
  return pending?.by ? { ...pending, by: pending.by } : null;
}
