import { env } from "@/lib/ground/env/env";

/** Whether a write comes from our own pages: takes the place of a CSRF token on every write with a session. */
export function isSameOrigin(request: Request): boolean {
  // Browsers set Sec-Fetch-Site themselves; older ones at least send Origin with every write.
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = request.headers.get("origin");
  if (origin === null) return false;
  return origin === new URL(env().APP_URL).origin || origin === new URL(request.url).origin;
}
