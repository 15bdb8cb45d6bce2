import { percent } from "@/components/ui/numbers";
import type { OverviewRange } from "@/lib/domain/overview/schema";

/** What the page calls its periods. */
export const periodNames: Record<OverviewRange, string> = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
};

/** From this change on a count is written as a multiple: 1,240 % says little. */
const manifold = 2;

/** A count beside that of the period before: `12 % more than in the 7 days before`; null while both are 0. */
export function countChange(now: number, before: number, range: OverviewRange): string | null {
  if (now === 0 && before === 0) return null;
  const then = `the ${periodNames[range]} before`;
  if (before === 0) return `none in ${then}`;
  const change = now / before - 1;
  if (Math.abs(change) < 0.005) return `as many as in ${then}`;
  if (change >= manifold) return `${Math.round(change + 1)} times as many as in ${then}`;
  return `${percent(Math.abs(change))} ${change > 0 ? "more" : "fewer"} than in ${then}`;
}

/** The rate of the period before: `41 % in the 7 days before`; null where there was nothing to be a share of. */
export const rateBefore = (
  rate: number | null,
  range: OverviewRange,
  words: (rate: number) => string = percent,
): string | null => (rate === null ? null : `${words(rate)} in the ${periodNames[range]} before`);
