import { isLocalPath } from "@/lib/domain/users/login-tokens";

/** The request header in which the web server tells a page its own path: a page does not know it. */
export const pagePathHeader = "x-page-path";

const longest = 4_000;

/** Where a page that sends somebody to sign in leads afterwards: back to itself, or to `fallback`. */
export function returnPathOf(headers: Headers, fallback: string): string {
  const path = headers.get(pagePathHeader) ?? "";
  if (path.length > longest || !isLocalPath(path)) return fallback;
  const url = URL.parse(path, "http://page");
  if (!url || !/^\/(dashboard(\/|$)|oauth\/authorize$)/.test(url.pathname)) return fallback;
  // The parameter that the router adds when it fetches a page's data.
  url.searchParams.delete("_rsc");
  return url.pathname + url.search;
}
