import { percent } from "@/components/ui/numbers";
import type { OverviewRange } from "@/lib/domain/overview/terms";
import { phrases, t } from "@/lib/ground/texts/t";

/** What the page calls its periods. */
export const periodNames: Record<OverviewRange, string> = phrases({
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
});

const earlier: Record<OverviewRange, string> = phrases({
  "24h": "in the 24 hours before",
  "7d": "in the 7 days before",
  "30d": "in the 30 days before",
  "90d": "in the 90 days before",
});

/** From this change on a count is written as a multiple: 1,240 % says little. */
const manifold = 2;

/** A count beside that of the period before: `12 % more than in the 7 days before`; null while both are 0. */
export function countChange(now: number, before: number, range: OverviewRange): string | null {
  if (now === 0 && before === 0) return null;
  const then = earlier[range];
  if (before === 0) return t("none {then}", { then });
  const change = now / before - 1;
  if (Math.abs(change) < 0.005) return t("as many as {then}", { then });
  if (change >= manifold)
    return t("{times} times as many as {then}", { times: Math.round(change + 1), then });
  const share = percent(Math.abs(change));
  return change > 0
    ? t("{share} more than {then}", { share, then })
    : t("{share} fewer than {then}", { share, then });
}

/** The rate of the period before: `41 % in the 7 days before`; null where there was nothing to be a share of. */
export const rateBefore = (
  rate: number | null,
  range: OverviewRange,
  words: (rate: number) => string = percent,
): string | null => (rate === null ? null : `${words(rate)} ${earlier[range]}`);
