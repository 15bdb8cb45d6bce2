/** One kind of bar: its name, and its look in the chart (`fill`) and in the legend (`swatch`). */
export interface Bar<Key extends string = string> {
  key: Key;
  label: string;
  fill: string;
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

/** A hatched fill for what is still open; bar-chart.tsx draws it under this name. */
export const hatched = {
  id: "hatched",
  fill: "url(#hatched)",
  swatch:
    "bg-[repeating-linear-gradient(135deg,var(--color-control)_0_2px,var(--color-neutral-wash)_2px_4px)]",
} as const;
