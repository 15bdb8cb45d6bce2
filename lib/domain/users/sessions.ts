import { sql } from "drizzle-orm";
import { decode } from "next-auth/jwt";
import type { Database, Executor } from "@/db/client";
import { env } from "@/lib/ground/env/env";
import { notFound } from "@/lib/ground/errors";

/** The name of the session cookie; browsers accept the prefixed one over https only. */
export function sessionCookieName(): string {
  return env().APP_URL.startsWith("https:") ? "__Secure-lettermill.session" : "lettermill.session";
}

/** How long a session lasts from signing in: 30 days. */
export const sessionLifeSeconds = 30 * 24 * 60 * 60;

export interface SessionUser {
  /** uuid */
  id: string;
  email: string;
  name: string;
}

/** The user of a request's session cookie; null without one, or after signing out everywhere. */
export async function findSessionUser(db: Database, headers: Headers): Promise<SessionUser | null> {
  const name = sessionCookieName();
  const cookie = (headers.get("cookie") ?? "")
    .split(/; */)
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  const secret = env().APP_SECRET;
  if (!cookie || !secret) return null;
  const token = await decode({ token: decodeURIComponent(cookie), secret }).catch(() => null);
  if (!token?.sub || typeof token["epoch"] !== "number") return null;
  const [user] = await db.execute<SessionUser & Record<string, unknown>>(sql`
    select id, email, name from users
    where id = ${token.sub} and session_epoch = ${token["epoch"]}`);
  return user ?? null;
}

/** The number that a new session of the user carries; throws NOT_FOUND for an unknown user. */
export async function getSessionEpoch(db: Executor, userId: string): Promise<number> {
  const [row] = await db.execute<{ session_epoch: number }>(
    sql`select session_epoch from users where id = ${userId}`,
  );
  if (!row) throw notFound();
  return row.session_epoch;
}
