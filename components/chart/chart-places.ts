/** One in how many is written where there is room for `most`. */
export const everyNth = (buckets: number, most: number): number => Math.ceil(buckets / most);

interface Place {
  left: string;
  translate: string;
}

const middleOf = (index: number, buckets: number) => `${(100 * (index + 0.5)) / buckets}%`;
/** Of the chart's width: what is nearer to an end than this could reach beyond it. */
const nearEnd = 0.06;

/** Below the middle of its bucket; the first and the last do not reach beyond the chart. */
export function shiftOf(index: number, buckets: number): Place {
  const place = (index + 0.5) / buckets;
  const shift = place < nearEnd ? 0 : place > 1 - nearEnd ? 100 : 50;
  return { left: middleOf(index, buckets), translate: `-${shift}%` };
}

/** Beside its bucket, the more to the left of it the further right that is: so it stays within the chart. */
export function endOf(index: number, buckets: number): Place {
  const shift = buckets === 1 ? 50 : (100 * index) / (buckets - 1);
  return { left: middleOf(index, buckets), translate: `-${shift}%` };
}
