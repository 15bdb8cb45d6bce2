import type { Preferences } from "@/lib/domain/opt-outs/schema";
import type { Texts } from "@/lib/ground/texts/texts";

/** What the page's address says about why it was opened. */
export interface Visit {
  /** By "Unsubscribe" in a mail. */
  unsubscribe: boolean;
  /** The form that led back to the page, and the list it named. */
  done: string | null;
  list: string | null;
  topic: string | null;
  /** What takes that back, sealed; null: it cannot be taken back. */
  undo: string | null;
}

/** Whether the page says that something was not done. */
export const isRefusal = ({ done }: Visit) =>
  done === "tooMany" || done === "unsent" || done === "faulty";

/** What was asked for by mail, in words; null: nothing was, recently. */
function requestNotice(
  { email, asked }: Preferences,
  done: string,
  { text }: Texts,
): string | null {
  switch (done) {
    case "address":
    case "download":
    case "erase":
      return asked.includes(done)
        ? text(`preferences.done.${done}`, done === "address" ? {} : { email })
        : null;
    case "tooMany":
    case "unsent":
      return text(`preferences.done.${done}`);
    case "faulty":
      return text("preferences.address.faulty");
    case "name":
      return text("preferences.done.name");
    default:
      return null;
  }
}

/** What happened, in words; null when nothing did, or the address claims something untrue. */
export function noticeOf(preferences: Preferences, visit: Visit, texts: Texts): string | null {
  const { text, date } = texts;
  const { brand, email, consent, blocked, lists, topics, pausedUntil, weekly } = preferences;
  const topic = topics.find(({ id }) => id === visit.topic);
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
    case "leave-topic":
      return topic?.left ? text("preferences.done.leave-topic", { name: topic.name }) : null;
    case "join-topic":
      return topic && !topic.left
        ? text("preferences.done.join-topic", { name: topic.name })
        : null;
    case "pause":
      return pausedUntil
        ? text("preferences.done.pause", { project, until: date(pausedUntil) })
        : null;
    case "resume":
      return pausedUntil ? null : text("preferences.done.resume", { project });
    case "weekly":
      return weekly ? text("preferences.done.weekly") : null;
    case "normal":
      return weekly ? null : text("preferences.done.normal");
    default:
      return visit.done === null ? null : requestNotice(preferences, visit.done, texts);
  }
}
