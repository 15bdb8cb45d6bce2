/**
 * Emails on each of thirty days: the first week as published for new domains, then two fifths more a day,
 * slower towards the end. Never more than double the day before.
 */
export const defaultSchedule: readonly number[] = [
  ...[150, 250, 400, 700, 1_000, 1_500, 2_000, 2_800, 3_900, 5_500],
  ...[7_500, 10_000, 13_000, 17_000, 22_000, 28_000, 35_000, 44_000, 55_000, 68_000],
  ...[83_000, 100_000, 120_000, 140_000, 160_000, 180_000, 200_000, 220_000, 235_000, 250_000],
];
