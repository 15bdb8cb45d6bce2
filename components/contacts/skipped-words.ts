import { count } from "@/components/ui/numbers";
import type { Excluded } from "@/lib/domain/contact-states/schema";

/** In the words of the states that people wear everywhere. */
const words: Readonly<Record<keyof Excluded, string>> = {
  unsubscribed: "unsubscribed",
  never_subscribed: "not subscribed",
  hard_bounce: "bounced",
  complaint: "complained",
  manual: "suppressed",
};
const order = Object.keys(words) as (keyof Excluded)[];

/** Whom campaigns skip, by reason: `It skips 505 unsubscribed and 111 bounced.` Nobody: nothing. */
export function skippedWords(excluded: Excluded): string {
  const parts = order
    .filter((state) => excluded[state] > 0)
    .map((state) => `${count(excluded[state])} ${words[state]}`);
  if (parts.length === 0) return "";
  const last = parts.pop() ?? "";
  return `It skips ${parts.length > 0 ? `${parts.join(", ")} and ` : ""}${last}.`;
}
