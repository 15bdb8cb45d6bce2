const prefix = "/resend";

/** Whether the surface for Resend's clients answers this path, if only with 404. */
export function isResendPath(pathname: string): boolean {
  return pathname === prefix || pathname.startsWith(`${prefix}/`);
}

/** A path as operations declare it: below /resend, without a trailing slash. */
export function canonicalPath(pathname: string): string {
  const path = pathname.slice(prefix.length);
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path || "/";
}
