"use client";

import {
  Bar as RechartsBar,
  BarChart as RechartsBarChart,
  CartesianGrid,
  LabelList,
  ResponsiveContainer,
  Tooltip,
  useChartWidth,
  XAxis,
  YAxis,
} from "recharts";
import { barTime } from "@/components/ui/dates";
import { compactCount, count } from "@/components/ui/numbers";
import { popupClass } from "@/components/ui/popup";
import { hatched, type Bar, type Bucket, type BucketWidth, type Span } from "./bars";
import { figureOn } from "./chart-words";

const tick = { fill: "var(--color-faint)", fontSize: 11 };
const figure = { fill: "var(--color-soft)", fontSize: 11 };
/** Pixels. */
const countsWidth = 38;
/** No figure on what is not there. */
const figureText = (value: unknown) => (Number(value) > 0 ? compactCount(Number(value)) : "");

function BucketTooltip({
  active,
  payload,
  bars,
  width,
}: {
  active?: boolean;
  payload?: readonly { payload?: Span & Record<string, unknown> }[];
  bars: readonly Bar[];
  width: BucketWidth;
}) {
  const bucket = payload?.[0]?.payload;
  if (!active || !bucket) return null;
  return (
    <div className={`${popupClass} px-3 py-2 text-xs`}>
      <p className="font-medium">{barTime(bucket.at, width, "full")}</p>
      {bars.map(({ key, label, swatch }) => (
        <p key={key} className="mt-1 flex items-center gap-2 text-soft">
          <span className={`size-2.5 rounded-sm ${swatch}`} aria-hidden />
          {label}
          <span className="ml-auto pl-5 text-ink">{count(Number(bucket[key]))}</span>
        </p>
      ))}
    </div>
  );
}

function HatchedPattern() {
  return (
    <defs>
      <pattern
        id={hatched.id}
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="5" height="5" fill="var(--color-neutral-wash)" />
        <rect width="2" height="5" fill="var(--color-control)" />
      </pattern>
    </defs>
  );
}

/** Pixels that a time below the bars takes, with the gap beside it. */
const widestTime = 68;

/** Left to itself, recharts lays the whole page out anew for each time to find out how many fit. */
function TimeAxis({ buckets, width }: { buckets: number; width: BucketWidth }) {
  const room = Math.max(2, Math.floor(((useChartWidth() ?? 0) - countsWidth) / widestTime));
  return (
    <XAxis
      dataKey="at"
      tickFormatter={(at: string) => barTime(at, width, "axis")}
      tick={tick}
      tickLine={false}
      axisLine={{ stroke: "var(--color-rule-strong)" }}
      interval={Math.ceil(buckets / room) - 1}
    />
  );
}

/** Bars by hour, day or month, side by side or stacked. Browser only: see chart-figure.tsx. */
export default function BarChart({
  bars,
  buckets,
  width,
  stacked,
  height,
  figured,
}: {
  bars: readonly Bar[];
  /** Each with a figure for every bar. */
  buckets: readonly Span[];
  width: BucketWidth;
  stacked: boolean;
  /** Pixels. */
  height: number;
  /** Each bar has its figure on it; stacked ones together. */
  figured: boolean;
}) {
  return (
    <ResponsiveContainer width="100%" height={height}>
      <RechartsBarChart
        accessibilityLayer={false}
        data={[...buckets]}
        margin={{ top: figured ? 18 : 4, right: 0, bottom: 0, left: 0 }}
        barGap={1}
        barCategoryGap="20%"
      >
        <HatchedPattern />
        <CartesianGrid vertical={false} stroke="var(--color-rule)" />
        <TimeAxis buckets={buckets.length} width={width} />
        <YAxis
          allowDecimals={false}
          interval={0}
          width={countsWidth}
          tickFormatter={compactCount}
          tick={tick}
          tickLine={false}
          axisLine={false}
        />
        <Tooltip
          cursor={{ fill: "var(--color-hover)" }}
          content={<BucketTooltip bars={bars} width={width} />}
          isAnimationActive={false}
        />
        {bars.map(({ key, fill }) => (
          <RechartsBar
            key={key}
            dataKey={key}
            {...(stacked ? { stackId: "all" } : {})}
            fill={fill}
            maxBarSize={stacked ? 44 : 28}
            isAnimationActive={false}
          >
            {figured && (
              <LabelList
                // Of the bucket itself: recharts counts only the bars that it draws.
                dataKey={(bucket: Bucket<string>) => figureOn(bars, key, bucket, stacked)}
                position="top"
                formatter={figureText}
                style={figure}
              />
            )}
          </RechartsBar>
        ))}
      </RechartsBarChart>
    </ResponsiveContainer>
  );
}
