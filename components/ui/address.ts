/**
 * Sets a parameter of the page's address, or takes it out (null), without a request: for what the page can show by
 * itself. `useSearchParams` follows. Browser only.
 */
export function setInAddress(parameter: string, value: string | null): void {
  const address = new URL(window.location.href);
  if (value === null) address.searchParams.delete(parameter);
  else address.searchParams.set(parameter, value);
  if (address.href !== window.location.href) window.history.replaceState(null, "", address);
}
