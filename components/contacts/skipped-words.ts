import { count } from "@/components/ui/numbers";
import type { AudienceExcluded, Excluded } from "@/lib/domain/contact-states/schema";
import { listFormat } from "@/lib/ground/texts/formats";
import { t } from "@/lib/ground/texts/t";

/** In the words used everywhere for people's states. */
const words: Readonly<Record<keyof AudienceExcluded, (people: string) => string>> = {
  unsubscribed: (people) => t("{people} unsubscribed", { people }),
  never_subscribed: (people) => t("{people} not subscribed", { people }),
  paused: (people) => t("{people} on a break", { people }),
  left_topic: (people) => t("{people} who left the topic", { people }),
  less_often: (people) => t("{people} who had one this week", { people }),
  hard_bounce: (people) => t("{people} bounced", { people }),
  complaint: (people) => t("{people} complained", { people }),
  manual: (people) => t("{people} suppressed", { people }),
  domain: (people) => t("{people} at suppressed domains", { people }),
};
const order = Object.keys(words) as (keyof AudienceExcluded)[];

/** Whom campaigns skip, reason by reason. */
export const skippedParts = (excluded: Excluded & Partial<AudienceExcluded>) =>
  order.flatMap((state) => {
    const people = excluded[state] ?? 0;
    return people > 0 ? [{ state, words: words[state](count(people)) }] : [];
  });

/** The same in a sentence: `It skips 505 unsubscribed and 111 bounced.` Nobody: empty. */
export function skippedWords(excluded: Excluded & Partial<AudienceExcluded>): string {
  const parts = skippedParts(excluded).map((part) => part.words);
  if (parts.length === 0) return "";
  // British English has no comma before the "and".
  return t("It skips {people}.", { people: listFormat().format(parts) });
}
