/** Whether the tracking surface answers this path. */
export function isTrackingPath(pathname: string): boolean {
  return pathname.startsWith("/t/") || pathname.startsWith("/view/");
}
