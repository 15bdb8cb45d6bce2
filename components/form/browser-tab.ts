const key = "lettermill.tab";

let name = "";

function takeStored(): string | null {
  const stored = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return stored;
}

/**
 * Tells this tab from others of the same person. The page that follows in the same tab keeps the name, whether by
 * a reload, a link or going back; a tab that was duplicated, and its storage with it, has its own. Empty on the
 * server.
 */
export function browserTab(): string {
  if (typeof window === "undefined" || name !== "") return name;
  name = crypto.getRandomValues(new Uint32Array(2)).join("");
  try {
    name = takeStored() ?? name;
    // Stored only while no page is open here: a duplicate of an open one finds nothing.
    window.addEventListener("pagehide", () => sessionStorage.setItem(key, name));
    window.addEventListener("pageshow", ({ persisted }) => persisted && takeStored());
  } catch {
    // A browser that keeps nothing has a new name after each reload.
  }
  return name;
}
