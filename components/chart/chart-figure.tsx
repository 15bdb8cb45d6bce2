"use client";

import clsx from "clsx";
import dynamic from "next/dynamic";
import { ExactTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { barTime } from "@/components/ui/dates";
import type { Bar, Bucket, BucketWidth } from "./bars";

// The drawing library is large, and nothing can be drawn before its size on the page is known.
const BarChart = dynamic(() => import("./bar-chart"), {
  ssr: false,
  loading: () => <Skeleton className="h-60" />,
});

/**
 * Figures over time: title and legend, the chart, a sentence for when it is empty, and the same figures as
 * a table for screen readers. Every chart of the dashboard uses this frame.
 */
export function ChartFigure<Key extends string>({
  title,
  description,
  bars,
  buckets,
  width,
  stacked = false,
  pending = false,
  compact = false,
  empty,
}: {
  title: string;
  description?: string;
  bars: readonly Bar<Key>[];
  buckets: readonly Bucket<Key>[];
  width: BucketWidth;
  /** Bars on top of each other; otherwise side by side. */
  stacked?: boolean;
  /** Still being read. */
  pending?: boolean;
  /** A figure beside others: lower, with a smaller title. */
  compact?: boolean;
  /** Shown when every figure is 0. */
  empty: string;
}) {
  const nothing = buckets.every((bucket) => bars.every(({ key }) => bucket[key] === 0));
  return (
    <figure className="relative">
      <figcaption className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <div>
          {compact ? (
            <h3 className="text-sm font-medium">{title}</h3>
          ) : (
            <h2 className="display text-xl">{title}</h2>
          )}
          {description && <p className="text-sm text-soft">{description}</p>}
        </div>
        <span className="flex flex-wrap gap-x-4 text-xs text-soft" aria-hidden>
          {bars.map(({ key, label, swatch }) => (
            <span key={key} className="inline-flex items-center gap-1.5">
              <span className={`size-2.5 rounded-sm ${swatch}`} />
              {label}
            </span>
          ))}
        </span>
      </figcaption>
      {pending ? (
        <Skeleton className={compact ? "h-36" : "h-60"} />
      ) : nothing ? (
        <p
          className={clsx(
            "flex items-center justify-center border-y border-dashed border-rule-strong text-sm text-faint",
            compact ? "h-20" : "h-60",
          )}
        >
          {empty}
        </p>
      ) : (
        <>
          <div aria-hidden className={compact ? "h-36" : "h-60"}>
            <BarChart {...{ bars, buckets, width, stacked }} height={compact ? 144 : 240} />
          </div>
          <BucketTable title={title} bars={bars} buckets={buckets} width={width} />
        </>
      )}
    </figure>
  );
}

const bucketNames: Readonly<Record<BucketWidth, string>> = {
  hour: "Hour from",
  day: "Day (UTC)",
  month: "Month (UTC)",
};

function BucketTable<Key extends string>({
  title,
  bars,
  buckets,
  width,
}: {
  title: string;
  bars: readonly Bar<Key>[];
  buckets: readonly Bucket<Key>[];
  width: BucketWidth;
}) {
  return (
    <div className="sr-only">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{bucketNames[width]}</th>
            {bars.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket) => (
            <tr key={bucket.at}>
              <th scope="row">
                {width === "hour" ? (
                  <ExactTime value={bucket.at} seconds={false} />
                ) : (
                  barTime(bucket.at, width, "full")
                )}
              </th>
              {bars.map(({ key }) => (
                <td key={key}>{bucket[key]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
