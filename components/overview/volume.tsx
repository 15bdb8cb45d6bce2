"use client";

import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/skeleton";
import type { Overview } from "@/lib/domain/overview/schema";
import { series } from "./series";

const VolumeChart = dynamic(() => import("@/components/chart/bar-chart"), {
  ssr: false,
  loading: () => <Skeleton className="h-60" />,
});

/** The chart with its legend, and the same as a table for screen readers. */
export function Volume({ overview }: { overview: Overview }) {
  const hourly = overview.range === "24h";
  return (
    <figure className="relative">
      <figcaption className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <span className="display text-xl">Emails by {hourly ? "hour" : "day"}</span>
        <span className="flex flex-wrap gap-x-4 text-xs text-soft" aria-hidden>
          {series.map(({ key, label, swatch }) => (
            <span key={key} className="inline-flex items-center gap-1.5">
              <span className={`size-2.5 rounded-sm ${swatch}`} />
              {label}
            </span>
          ))}
        </span>
      </figcaption>
      <div aria-hidden className="relative h-60">
        <VolumeChart buckets={overview.buckets} hourly={hourly} />
        {overview.totals.sent + overview.totals.failed === 0 && (
          <p className="absolute inset-0 flex items-center justify-center pb-8 text-sm text-faint">
            <span className="bg-paper px-3">No mail in this stretch of time.</span>
          </p>
        )}
      </div>
      <div className="sr-only">
        <table>
          <caption>Emails by {hourly ? "hour" : "day"}</caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              {series.map(({ key, label }) => (
                <th key={key} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {overview.buckets.map((bucket) => (
              <tr key={bucket.at}>
                <th scope="row">{bucket.at}</th>
                {series.map(({ key }) => (
                  <td key={key}>{bucket[key]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
