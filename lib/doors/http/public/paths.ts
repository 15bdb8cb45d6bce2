const pages = ["t", "f", "view", "preferences", "confirm", "request", "report", "hooks"] as const;

/** Whether the surface for recipients and mail programs answers this path. */
export function isTrackingPath(pathname: string): boolean {
  return pages.some((page) => pathname.startsWith(`/${page}/`));
}

/** Whether it is reached under the host of a project's domain, too. */
export function isHostPath(pathname: string): boolean {
  return isTrackingPath(pathname) || pathname.startsWith("/files/");
}
