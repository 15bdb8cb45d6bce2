import type { Bar, Bucket } from "./bars";

/** With more buckets, or more bars in all, the figures on the bars would stand in each other's way. */
const mostFiguredBuckets = 16;
const mostFiguredBars = 24;

/** Whether each bar has its figure on it. `stacked`: one figure for those on top of each other. */
export const hasFigures = (buckets: number, bars: number, stacked: boolean) =>
  buckets <= mostFiguredBuckets && buckets * (stacked ? 1 : bars) <= mostFiguredBars;

const sumOf = <Key extends string>(bucket: Bucket<Key>, bars: readonly Bar<Key>[]): number =>
  bars.reduce((sum, { key }) => sum + bucket[key], 0);

/** What each kind of bar comes to, in the order of the bars. */
export const totalsOf = <Key extends string>(
  bars: readonly Bar<Key>[],
  buckets: readonly Bucket<Key>[],
): number[] => bars.map(({ key }) => buckets.reduce((sum, bucket) => sum + bucket[key], 0));

/** The highest bar: of several the first, and stacked ones as one. null: there is none. */
export function peakOf<Key extends string>(
  bars: readonly Bar<Key>[],
  buckets: readonly Bucket<Key>[],
  stacked: boolean,
): { at: string; height: number; label: string | null } | null {
  const heightOf = (bucket: Bucket<Key>) =>
    stacked ? sumOf(bucket, bars) : Math.max(...bars.map(({ key }) => bucket[key]));
  const [first, ...rest] = buckets;
  if (!first) return null;
  const peak = rest.reduce((best, one) => (heightOf(one) > heightOf(best) ? one : best), first);
  const height = heightOf(peak);
  const highest = bars.find(({ key }) => peak[key] === height);
  const label = stacked || bars.length === 1 ? null : (highest?.label ?? null);
  return { at: peak.at, height, label };
}
