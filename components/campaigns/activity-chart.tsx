"use client";

import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { popupClass } from "@/components/ui/popup";
import type { ActivityBucket } from "./activity";
import { activitySeries } from "./activity-series";
import { count } from "@/components/ui/numbers";

const compact = new Intl.NumberFormat("en", { notation: "compact" });

function formatters(hourly: boolean) {
  const day = { day: "numeric", month: "short", timeZone: "UTC" } as const;
  const hour = { weekday: "short", hour: "2-digit", minute: "2-digit" } as const;
  return {
    axis: new Intl.DateTimeFormat("en-GB", hourly ? { hour: "2-digit", minute: "2-digit" } : day),
    full: new Intl.DateTimeFormat("en-GB", hourly ? hour : { weekday: "short", ...day }),
  };
}

function BucketTooltip({
  active,
  payload,
  format,
}: {
  active?: boolean;
  payload?: readonly { payload?: ActivityBucket }[];
  format: Intl.DateTimeFormat;
}) {
  const bucket = payload?.[0]?.payload;
  if (!active || !bucket) return null;
  return (
    <div className={`${popupClass} px-3 py-2 text-xs`}>
      <p className="font-medium">{format.format(new Date(bucket.at))}</p>
      {activitySeries.map(({ key, label, swatch }) => (
        <p key={key} className="mt-1 flex items-center gap-2 text-soft">
          <span className={`size-2.5 rounded-sm ${swatch}`} aria-hidden />
          {label}
          <span className="ml-auto pl-5 text-ink">{count(bucket[key])}</span>
        </p>
      ))}
    </div>
  );
}

/** Opens and clicks by hour or day. */
export default function ActivityChart({
  buckets,
  hourly,
}: {
  buckets: ActivityBucket[];
  hourly: boolean;
}) {
  const format = formatters(hourly);
  return (
    <ResponsiveContainer width="100%" height={224}>
      <BarChart
        accessibilityLayer={false}
        data={buckets}
        margin={{ top: 4, right: 0, bottom: 0, left: 0 }}
        barGap={1}
        barCategoryGap="18%"
      >
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
        {activitySeries.map(({ key, fill }) => (
          <Bar key={key} dataKey={key} fill={fill} maxBarSize={28} isAnimationActive={false} />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
