import type { Preferences } from "@/lib/domain/opt-outs/schema";

/** What the page's address says of why it was opened. */
export interface Visit {
  /** By "Unsubscribe" in a mail. */
  unsubscribe: boolean;
  /** The form that led back to the page, and the list it named. */
  done: string | null;
  list: string | null;
}

/** What happened, in words; null when nothing did, or the address claims something untrue. */
export function noticeOf(preferences: Preferences, visit: Visit): string | null {
  const { project, email, consent, blocked, lists } = preferences;
  const list = lists.find(({ id }) => id === visit.list);
  switch (visit.done) {
    case "leave":
      return list?.status === "unsubscribed"
        ? `You have been unsubscribed from ${list.name}. It will no longer be sent to ${email}.`
        : null;
    case "join":
      return list?.status === "subscribed" && !blocked
        ? `You are subscribed to ${list.name} again.`
        : null;
    case "leave-all":
      return consent === "unsubscribed"
        ? `Done. ${project} will send no more newsletters to ${email}.`
        : null;
    case "return":
      return consent === "subscribed" && !blocked
        ? `Welcome back. ${project} will write to you again.`
        : null;
    default:
      return null;
  }
}
