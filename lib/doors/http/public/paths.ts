/** Whether a path is the tracking surface's. */
export function isTrackingPath(pathname: string): boolean {
  return pathname.startsWith("/t/") || pathname.startsWith("/view/");
}
