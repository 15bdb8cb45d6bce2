import { amount } from "@/lib/ground/amount";
import type { Retention } from "./schema";

type Kept = Retention["emails"];

const inDays = (days: number) => (days === 1 ? "a day" : `${amount(days)} days`);

/** Days after which it ends; null: never. */
function daysOf({ days, atMost }: Kept): number | null {
  const limits = [days, atMost].filter((limit) => limit !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}

/** How far back a page's history goes, as a sentence to append; empty when nothing is ever deleted. */
export function historyEnds(kept: Kept): string {
  const days = daysOf(kept);
  return days === null ? "" : ` History ends after ${inDays(days)}.`;
}

/** What an email's page lacks later, as a sentence; empty when nothing of it is ever deleted. */
export function eventsEnd({ emails, events, contents }: Retention): string {
  const most = daysOf(emails) ?? Infinity;
  const parts = (
    [
      ["events", events],
      ["content outside campaigns", contents],
    ] as const
  ).flatMap(([name, kept]) => {
    const days = daysOf(kept);
    return days === null || days >= most ? [] : [`${name} after ${inDays(days)}`];
  });
  if (most !== Infinity) parts.push(`the email itself after ${inDays(most)}`);
  return parts.length === 0 ? "" : `Deleted in the end: ${parts.join(", ")}.`;
}

/** How far back a person's story goes, as a sentence; empty when nothing is ever deleted. */
export function storyEnds({ emails, events, audit }: Retention): string {
  const parts = (
    [
      ["emails", [emails]],
      ["what became of them", [emails, events]],
      ["changes", [audit]],
    ] as const
  ).flatMap(([name, kinds]) => {
    const days = Math.min(...kinds.map((kept) => daysOf(kept) ?? Infinity));
    return days === Infinity ? [] : [`${name} ${inDays(days)}`];
  });
  return parts.length === 0 ? "" : `Goes back: ${parts.join(", ")}.`;
}
