"use client";

import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis, ResponsiveContainer } from "recharts";
import { popupClass } from "@/components/ui/popup";
import type { Overview } from "@/lib/domain/overview/schema";
import { series } from "@/components/overview/series";

const count = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", { notation: "compact" });

function formatters(hourly: boolean) {
  const zone = hourly ? {} : { timeZone: "UTC" };
  return {
    axis: new Intl.DateTimeFormat(
      "en-GB",
      hourly ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "short", ...zone },
    ),
    full: new Intl.DateTimeFormat(
      "en-GB",
      hourly
        ? { weekday: "short", hour: "2-digit", minute: "2-digit" }
        : { weekday: "short", day: "numeric", month: "long", ...zone },
    ),
  };
}

type Bucket = Overview["buckets"][number];

function BucketTooltip({
  active,
  payload,
  format,
}: {
  active?: boolean;
  payload?: readonly { payload?: Bucket }[];
  format: Intl.DateTimeFormat;
}) {
  const bucket = payload?.[0]?.payload;
  if (!active || !bucket) return null;
  return (
    <div className={`${popupClass} px-3 py-2 text-xs`}>
      <p className="font-medium">{format.format(new Date(bucket.at))}</p>
      {series.map(({ key, label, swatch }) => (
        <p key={key} className="mt-1 flex items-center gap-2 text-soft">
          <span className={`size-2.5 rounded-sm ${swatch}`} aria-hidden />
          {label}
          <span className="ml-auto pl-5 text-ink">{count.format(bucket[key])}</span>
        </p>
      ))}
    </div>
  );
}

/** Emails by hour or day, stacked by how far they came. */
export default function VolumeChart({ buckets, hourly }: { buckets: Bucket[]; hourly: boolean }) {
  const format = formatters(hourly);
  return (
    <ResponsiveContainer width="100%" height={240}>
      <BarChart
        accessibilityLayer={false}
        data={buckets}
        margin={{ top: 4, right: 0, bottom: 0, left: 0 }}
        barCategoryGap="22%"
      >
        <defs>
          <pattern
            id="under-way"
            width="5"
            height="5"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="5" height="5" fill="var(--color-neutral-wash)" />
            <rect width="2" height="5" fill="var(--color-control)" />
          </pattern>
        </defs>
        <CartesianGrid vertical={false} stroke="var(--color-rule)" />
        <XAxis
          dataKey="at"
          tickFormatter={(at: string) => format.axis.format(new Date(at))}
          tick={{ fill: "var(--color-faint)", fontSize: 11 }}
          tickLine={false}
          axisLine={{ stroke: "var(--color-rule-strong)" }}
          minTickGap={24}
        />
        <YAxis
          allowDecimals={false}
          width={38}
          tickFormatter={(value: number) => compact.format(value)}
          tick={{ fill: "var(--color-faint)", fontSize: 11 }}
          tickLine={false}
          axisLine={false}
        />
        <Tooltip
          cursor={{ fill: "var(--color-hover)" }}
          content={<BucketTooltip format={format.full} />}
          isAnimationActive={false}
        />
        {series.map(({ key, fill }) => (
          <Bar
            key={key}
            dataKey={key}
            stackId="all"
            fill={fill}
            maxBarSize={44}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
