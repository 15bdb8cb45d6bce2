import type { Preferences } from "@/lib/domain/opt-outs/schema";
import type { Texts } from "@/lib/ground/texts/texts";

/** What the page's address says of why it was opened. */
export interface Visit {
  /** By "Unsubscribe" in a mail. */
  unsubscribe: boolean;
  /** The form that led back to the page, and the list it named. */
  done: string | null;
  list: string | null;
}

/** What happened, in words; null when nothing did, or the address claims something untrue. */
export function noticeOf(preferences: Preferences, visit: Visit, { text }: Texts): string | null {
  const { brand, email, consent, blocked, lists } = preferences;
  const { project } = brand;
  const list = lists.find(({ id }) => id === visit.list);
  switch (visit.done) {
    case "leave":
      return list?.status === "unsubscribed"
        ? text("preferences.done.leave", { name: list.name, email })
        : null;
    case "join":
      return list?.status === "subscribed" && !blocked
        ? text("preferences.done.join", { name: list.name })
        : null;
    case "leave-all":
      return consent === "unsubscribed"
        ? text("preferences.done.leave-all", { project, email })
        : null;
    case "return":
      return consent === "subscribed" && !blocked
        ? text("preferences.done.return", { project })
        : null;
    default:
      return null;
  }
}
