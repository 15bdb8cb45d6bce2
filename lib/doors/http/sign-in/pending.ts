import { env } from "@/lib/ground/env/env";

const lifeSeconds = 10 * 60;
const isHttps = () => env().APP_URL.startsWith("https:");
/** Browsers accept the prefixed name only over https, and only from this very host. */
const cookieName = () => (isHttps() ? "__Host-lettermill.pending" : "lettermill.pending");

/** The Set-Cookie of a sign-in that waits for its second factor: scripts do not see it. */
export function pendingCookie(token: string): string {
  return `${cookieName()}=${token}; Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax${isHttps() ? "; Secure" : ""}`;
}

/** The token of such a sign-in, from a Cookie header; empty without one. */
export function pendingTokenOf(cookies: unknown): string {
  const prefix = `${cookieName()}=`;
  const pairs = typeof cookies === "string" ? cookies.split(/; */) : [];
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length, 200) ?? "";
}
