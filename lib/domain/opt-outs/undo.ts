import { seal, unseal } from "@/lib/ground/secrets";
import type { PreferenceChange, Preferences, Restoring } from "./schema";

/*
 * The way back from each choice: what the page that confirms it offers as one more press. It contains the state
 * before the choice, and is sealed, since an address must not hold a name that a log could keep.
 */

function ofSubscription(
  { lists, consent, blocked }: Preferences,
  change: PreferenceChange & { action: "leave" | "join" | "leave-all" | "return" },
): Restoring | null {
  // Somebody to whom nothing is sent cannot subscribe, not even again.
  if (blocked) return null;
  if (change.action === "leave-all") return consent === "subscribed" ? { action: "return" } : null;
  if (change.action === "return")
    return consent === "unsubscribed" ? { action: "leave-all" } : null;
  const status = lists.find(({ id }) => id === change.list)?.status;
  if (change.action === "leave")
    return status === "subscribed" ? { action: "join", list: change.list } : null;
  return status === "unsubscribed" || status === "unconfirmed"
    ? { action: "leave", list: change.list }
    : null;
}

/** What restores the state before a change; null when the change changes nothing, or cannot be undone. */
export function undoOf(before: Preferences, change: Restoring): Restoring | null {
  const { pausedUntil, weekly, firstName, lastName, topics } = before;
  switch (change.action) {
    case "leave-topic":
    case "join-topic": {
      const leaves = change.action === "leave-topic";
      const topic = topics.find(({ id, left }) => id === change.topic && left !== leaves);
      return topic ? { action: leaves ? "join-topic" : "leave-topic", topic: topic.id } : null;
    }
    case "pause":
    case "pause-until":
      return pausedUntil
        ? { action: "pause-until", until: pausedUntil.toISOString() }
        : { action: "resume" };
    case "resume":
      return pausedUntil && { action: "pause-until", until: pausedUntil.toISOString() };
    case "weekly":
      return weekly ? null : { action: "normal" };
    case "normal":
      return weekly ? { action: "weekly" } : null;
    case "name": {
      const same = change.firstName === firstName && change.lastName === lastName;
      return same ? null : { action: "name", firstName, lastName };
    }
    default:
      return ofSubscription(before, change);
  }
}

/** Whoever comes back to the page the next day finds the choices, not the way back from the last one. */
const hours = 24;

interface Sealed {
  token: string;
  at: number;
  change: Restoring;
}

export function sealUndo(token: string, change: Restoring): string {
  const sealed: Sealed = { token, at: Date.now(), change };
  return seal(JSON.stringify(sealed));
}

/** null when it is not ours, belongs to another link, or is too old. */
export function openUndo(token: string, text: string): Restoring | null {
  try {
    const sealed = JSON.parse(unseal(text)) as Sealed;
    const age = Date.now() - sealed.at;
    return sealed.token === token && age < hours * 3_600_000 ? sealed.change : null;
  } catch {
    return null;
  }
}
