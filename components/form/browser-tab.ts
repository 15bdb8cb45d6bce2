const key = "lettermill.tab";
const newName = () => crypto.getRandomValues(new Uint32Array(2)).join("");

let name = "";

const isReloaded = () =>
  performance
    .getEntriesByType("navigation")
    .some((entry) => (entry as PerformanceNavigationTiming).type === "reload");

/**
 * Tells this tab from others of the same person. A reload keeps the name; a tab that was duplicated, and its
 * storage with it, has its own. Empty on the server.
 */
export function browserTab(): string {
  if (typeof window === "undefined" || name !== "") return name;
  name = newName();
  try {
    const stored = sessionStorage.getItem(key);
    if (stored !== null && isReloaded()) name = stored;
    sessionStorage.setItem(key, name);
  } catch {
    // A browser that keeps nothing has a new name after each reload.
  }
  return name;
}
