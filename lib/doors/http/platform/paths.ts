const prefix = "/api/v1";

/** Whether the platform surface answers this path, if only with 404. */
export function isPlatformPath(pathname: string): boolean {
  return pathname === prefix || pathname.startsWith(`${prefix}/`);
}

/** A path as operations declare it: below /api/v1, without a trailing slash. */
export function canonicalPath(pathname: string): string {
  const path = pathname.slice(prefix.length);
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path || "/";
}
