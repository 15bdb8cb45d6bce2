"use client";

import clsx from "clsx";
import { ExactTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { Cell, HeaderCell, Row, Table, TableHead } from "@/components/ui/table";
import { barTime } from "@/components/ui/dates";
import { count } from "@/components/ui/numbers";
import { rich } from "@/components/ui/rich";
import { WhenSeen } from "@/components/ui/when-seen";
import { currentLanguage, phrases, t } from "@/lib/ground/texts/t";
import { AsTable } from "./as-table";
import { BarChart } from "./bar-chart";
import type { Bar, Bucket, BucketWidth } from "./bars";
import { hasFigures, peakOf, totalsOf } from "./chart-words";

/**
 * Figures over time: title and legend with the totals, the chart with its axes named, a sentence for when it is
 * empty, and the same figures as a table to unfold. Every chart of the dashboard uses this frame.
 */
export function ChartFigure<Key extends string>({
  title,
  description,
  unit,
  bars,
  buckets,
  width,
  stacked = false,
  summed = true,
  pending = false,
  compact = false,
  empty,
}: {
  title: string;
  description?: string;
  /** What is counted: `People`. */
  unit: string;
  bars: readonly Bar<Key>[];
  buckets: readonly Bucket<Key>[];
  width: BucketWidth;
  /** Bars on top of each other; otherwise side by side. */
  stacked?: boolean;
  /** false: what the bars come to means nothing. */
  summed?: boolean;
  /** Still being read. */
  pending?: boolean;
  /** A figure beside others: lower, with a smaller title. */
  compact?: boolean;
  /** Shown when every figure is 0. */
  empty: string;
}) {
  const nothing = buckets.every((bucket) => bars.every(({ key }) => bucket[key] === 0));
  const totals = totalsOf(bars, buckets);
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
        <span className="flex flex-wrap gap-x-4 text-xs text-soft">
          {bars.map(({ key, label, swatch }, index) => (
            <span key={key} className="inline-flex items-center gap-1.5">
              <span
                className={`size-2.5 rounded-sm print:[print-color-adjust:exact] ${swatch}`}
                aria-hidden
              />
              {label}
              {summed && !pending && !nothing && (
                <span className="font-medium text-ink">{count(totals[index] ?? 0)}</span>
              )}
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
          <p aria-hidden className="eyebrow mb-1">
            {unit}
          </p>
          <WhenSeen aria-hidden className={clsx(compact ? "h-36" : "h-60", "print:h-auto")}>
            <BarChart
              bars={bars}
              buckets={buckets}
              width={width}
              stacked={stacked}
              className={compact ? "h-36" : "h-60"}
              figured={summed && hasFigures(buckets.length, bars.length, stacked)}
            />
          </WhenSeen>
          <p className="flex flex-wrap justify-between gap-x-6 text-xs text-soft">
            {summed ? <Peak {...{ bars, buckets, width, stacked }} /> : <span />}
            <span aria-hidden>{timeAxis[width]}</span>
          </p>
          <AsTable>
            <BucketTable title={title} bars={bars} buckets={buckets} width={width} />
          </AsTable>
        </>
      )}
    </figure>
  );
}

const bucketNames: Readonly<Record<BucketWidth, string>> = phrases({
  hour: "Hour from",
  day: "Day (UTC)",
  month: "Month (UTC)",
});
/** When it was most, and how many. */
function Peak<Key extends string>({
  bars,
  buckets,
  width,
  stacked,
}: {
  bars: readonly Bar<Key>[];
  buckets: readonly Bucket<Key>[];
  width: BucketWidth;
  stacked: boolean;
}) {
  const peak = peakOf(bars, buckets, stacked);
  if (!peak) return null;
  const height = count(peak.height);
  // In a sentence only English writes them small.
  const label = currentLanguage() === "en" ? peak.label?.toLowerCase() : peak.label;
  const figure = label ? t("{height} {label}", { height, label }) : height;
  const time = barTime(peak.at, width, "full");
  return (
    <span>
      {width === "hour"
        ? rich("Most in the hour from {time}: {figure}", {
            time: <ExactTime value={peak.at} seconds={false} />,
            figure,
          })
        : width === "day"
          ? t("Most on {day}: {figure}", { day: time, figure })
          : t("Most in {month}: {figure}", { month: time, figure })}
    </span>
  );
}

const timeAxis: Readonly<Record<BucketWidth, string>> = phrases({
  hour: "Hour from, your time",
  day: "Day (UTC)",
  month: "Month (UTC)",
});

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
    <Table label={t("{title}, as a table", { title })} className="mt-2 max-w-2xl">
      <TableHead>
        <HeaderCell>{bucketNames[width]}</HeaderCell>
        {bars.map(({ key, label }) => (
          <HeaderCell key={key} className="text-right!">
            {label}
          </HeaderCell>
        ))}
      </TableHead>
      <tbody>
        {buckets.map((bucket) => (
          <Row key={bucket.at}>
            <th scope="row" className="py-1.5 pr-3 text-left font-normal">
              {width === "hour" ? (
                <ExactTime value={bucket.at} seconds={false} />
              ) : (
                barTime(bucket.at, width, "full")
              )}
            </th>
            {bars.map(({ key }) => (
              <Cell key={key} className="py-1.5! text-right">
                {count(bucket[key])}
              </Cell>
            ))}
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
