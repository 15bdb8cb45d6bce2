import { env } from "@/lib/ground/env/env";

const isHttps = () => env().APP_URL.startsWith("https:");

/** A cookie for the length of signing in; scripts do not see it. */
export function ownCookie(name: string, lifeSeconds: number) {
  /** Browsers accept the prefixed name only over https, and only from this very host. */
  const cookieName = () => (isHttps() ? `__Host-lettermill.${name}` : `lettermill.${name}`);
  return {
    /** The Set-Cookie header. */
    set: (token: string) =>
      `${cookieName()}=${token}; Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax${isHttps() ? "; Secure" : ""}`,
    /** The token in a Cookie header; empty without one. */
    read: (cookies: unknown): string => {
      const prefix = `${cookieName()}=`;
      const pairs = typeof cookies === "string" ? cookies.split(/; */) : [];
      return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length, 200) ?? "";
    },
  };
}

/** Names a sign-in that waits for its second factor. */
export const pendingCookie = ownCookie("pending", 10 * 60);
