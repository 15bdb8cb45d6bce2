import { count } from "@/components/ui/numbers";
import type { AudienceExcluded, Excluded } from "@/lib/domain/contact-states/schema";

/** In the words used everywhere for people's states. */
const words: Readonly<Record<keyof AudienceExcluded, string>> = {
  unsubscribed: "unsubscribed",
  never_subscribed: "not subscribed",
  paused: "on a break",
  left_topic: "who left the topic",
  less_often: "who had one this week",
  hard_bounce: "bounced",
  complaint: "complained",
  manual: "suppressed",
  domain: "at suppressed domains",
};
const order = Object.keys(words) as (keyof AudienceExcluded)[];

/** Whom campaigns skip, by reason: `It skips 505 unsubscribed and 111 bounced.` Nobody: empty. */
export function skippedWords(excluded: Excluded & Partial<AudienceExcluded>): string {
  const parts = order.flatMap((state) => {
    const people = excluded[state] ?? 0;
    return people > 0 ? [`${count(people)} ${words[state]}`] : [];
  });
  if (parts.length === 0) return "";
  const last = parts.pop() ?? "";
  return `It skips ${parts.length > 0 ? `${parts.join(", ")} and ` : ""}${last}.`;
}
