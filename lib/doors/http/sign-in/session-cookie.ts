import { encode } from "next-auth/jwt";
import { sessionCookieName, sessionLifeSeconds } from "@/lib/domain/users/sessions";
import type { StartedSession } from "@/lib/domain/users/sign-in";
import { env } from "@/lib/ground/env/env";
import { currentSecret } from "@/lib/ground/secrets";

/** The attributes of the session's cookie. */
export const sessionCookieOptions = () =>
  ({
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure: env().APP_URL.startsWith("https:"),
  }) as const;

/** What the session's cookie says. */
export const sessionClaims = (userId: string, sessionId: string) => ({
  sub: userId,
  sid: sessionId,
});

/** The Set-Cookie header that signs in where next-auth is not the one who answers. */
export async function setSessionCookie({ user, sessionId }: StartedSession): Promise<string> {
  const token = await encode({
    token: sessionClaims(user.id, sessionId),
    secret: currentSecret(),
    maxAge: sessionLifeSeconds,
  });
  const secure = sessionCookieOptions().secure ? "; Secure" : "";
  return `${sessionCookieName()}=${token}; Path=/; Max-Age=${sessionLifeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}
