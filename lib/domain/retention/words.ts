import { t } from "@/lib/ground/texts/t";
import type { Retention } from "./schema";

type Kept = Retention["emails"];

/** Days after which it ends; null: never. */
function daysOf({ days, atMost }: Kept): number | null {
  const limits = [days, atMost].filter((limit) => limit !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}

/** How far back a page's history goes, as a sentence to append; empty when nothing is ever deleted. */
export function historyEnds(kept: Kept): string {
  const days = daysOf(kept);
  return days === null
    ? ""
    : ` ${t("History ends after {days, plural, one {a day} other {# days}}.", { days })}`;
}

/** What an email's page lacks later, as a sentence; empty when nothing of it is ever deleted. */
export function eventsEnd({ emails, events, contents }: Retention): string {
  const most = daysOf(emails) ?? Infinity;
  const ends = (kept: Kept): number | null => {
    const days = daysOf(kept);
    return days === null || days >= most ? null : days;
  };
  const [eventDays, contentDays] = [ends(events), ends(contents)];
  const parts = [
    eventDays !== null &&
      t("events after {days, plural, one {a day} other {# days}}", { days: eventDays }),
    contentDays !== null &&
      t("content outside campaigns after {days, plural, one {a day} other {# days}}", {
        days: contentDays,
      }),
    most !== Infinity &&
      t("the email itself after {days, plural, one {a day} other {# days}}", { days: most }),
  ].filter((part) => part !== false);
  return parts.length === 0 ? "" : t("Deleted in the end: {parts}.", { parts: parts.join(", ") });
}

/** How far back a person's story goes, as a sentence; what became of emails stays as long as they do. */
export function storyEnds({ emails, audit }: Retention): string {
  const [emailDays, auditDays] = [daysOf(emails), daysOf(audit)];
  const parts = [
    emailDays !== null &&
      t("emails {days, plural, one {a day} other {# days}}", { days: emailDays }),
    auditDays !== null &&
      t("changes {days, plural, one {a day} other {# days}}", { days: auditDays }),
  ].filter((part) => part !== false);
  return parts.length === 0 ? "" : t("Goes back: {parts}.", { parts: parts.join(", ") });
}
