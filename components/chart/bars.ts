/** One kind of bar: its name, and its look in the chart and in the legend, as classes. */
export interface Bar<Key extends string = string> {
  key: Key;
  label: string;
  swatch: string;
}

/** An hour, a day or a month. */
export interface Span {
  /** ISO 8601: its beginning. */
  at: string;
}

/** The figures of one of them. */
export type Bucket<Key extends string> = Span & Record<Key, number>;

/** How wide the chart's buckets are. */
export type BucketWidth = "hour" | "day" | "month";

/** For what is still open. */
export const hatched =
  "bg-[repeating-linear-gradient(135deg,var(--color-control)_0_2px,var(--color-neutral-wash)_2px_4px)]";
