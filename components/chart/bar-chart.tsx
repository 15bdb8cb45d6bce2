"use client";

import clsx from "clsx";
import { useState, type PointerEvent } from "react";
import { barTime } from "@/components/ui/dates";
import { compactCount, count } from "@/components/ui/numbers";
import { popupClass } from "@/components/ui/popup";
import { ticksTo } from "@/lib/ground/chart-ticks";
import type { Bar, Bucket, BucketWidth } from "./bars";
import { peakOf } from "./chart-words";
import { endOf, everyNth, shiftOf } from "./chart-places";

const text = "text-[11px] leading-none whitespace-nowrap";

/**
 * Bars by hour, day or month, side by side or stacked: boxes that the browser lays out by itself, on paper too. A drawing
 * library measured each text and drew a year of days in a second of a phone's processor.
 */
export function BarChart<Key extends string>({
  bars,
  buckets,
  width,
  stacked,
  figured,
  className,
}: {
  bars: readonly Bar<Key>[];
  buckets: readonly Bucket<Key>[];
  width: BucketWidth;
  stacked: boolean;
  /** Each bar has its figure on it; stacked ones together. */
  figured: boolean;
  className: string;
}) {
  const [shown, setShown] = useState<number | null>(null);
  const ticks = ticksTo(peakOf(bars, buckets, stacked)?.height ?? 0);
  const most = ticks.at(-1) ?? 1;
  const follow = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width: room } = currentTarget.getBoundingClientRect();
    const place = Math.floor(((clientX - left) / room) * buckets.length);
    setShown(Math.min(Math.max(place, 0), buckets.length - 1));
  };
  const bucket = shown === null ? undefined : buckets[shown];
  return (
    <div className={clsx("@container flex text-faint", figured ? "pt-5" : "pt-2", className)}>
      <div className="relative mb-6 w-9.5 shrink-0">
        {ticks.map((tick) => (
          <span
            key={tick}
            className={clsx("absolute right-2 translate-y-1/2", text)}
            style={{ bottom: `${(100 * tick) / most}%` }}
          >
            {compactCount(tick)}
          </span>
        ))}
      </div>
      <div
        className="relative mb-6 min-w-0 flex-1"
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={() => setShown(null)}
      >
        {ticks.map((tick) => (
          <div
            key={tick}
            className={clsx(
              "absolute inset-x-0 border-t",
              tick === 0 ? "border-rule-strong" : "border-rule",
            )}
            style={{ bottom: `${(100 * tick) / most}%` }}
          />
        ))}
        <div className="absolute inset-0 flex print:[print-color-adjust:exact]">
          {buckets.map((one, index) => (
            <div
              key={one.at}
              className={clsx("flex min-w-0 flex-1 justify-center", index === shown && "bg-hover")}
            >
              <div className="flex w-4/5 justify-center gap-px">
                {(stacked ? [bars] : bars.map((bar) => [bar])).map((parts, place) => (
                  <Stack
                    key={place}
                    parts={parts.map(({ key, swatch }) => ({ swatch, value: one[key] }))}
                    {...{ most, figured }}
                    className={stacked ? "max-w-11" : "max-w-7"}
                  />
                ))}
              </div>
            </div>
          ))}
        </div>
        <Times buckets={buckets} width={width} />
        {bucket && shown !== null && (
          <div
            className={clsx(
              "pointer-events-none absolute bottom-[calc(100%-2rem)] z-10 w-max px-3 py-2 text-xs",
              popupClass,
            )}
            style={endOf(shown, buckets.length)}
          >
            <p className="font-medium">{barTime(bucket.at, width, "full")}</p>
            {bars.map(({ key, label, swatch }) => (
              <p key={key} className="mt-1 flex items-center gap-2 text-soft">
                <span className={`size-2.5 rounded-sm ${swatch}`} />
                {label}
                <span className="ml-auto pl-5 text-ink">{count(bucket[key])}</span>
              </p>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

/** One bar, or several on top of each other, with what they come to above. */
function Stack({
  parts,
  most,
  figured,
  className,
}: {
  parts: readonly { swatch: string; value: number }[];
  most: number;
  figured: boolean;
  className: string;
}) {
  const sum = parts.reduce((all, { value }) => all + value, 0);
  if (sum === 0) return <div className={clsx("w-full", className)} />;
  return (
    <div className={clsx("flex h-full w-full flex-col-reverse items-center", className)}>
      {parts.map(
        ({ swatch, value }, index) =>
          value > 0 && (
            <div
              key={index}
              data-bar=""
              className={clsx("min-h-px w-full shrink-0", swatch)}
              style={{ height: `${(100 * value) / most}%` }}
            />
          ),
      )}
      {figured && <span className={clsx("pb-1 text-soft", text)}>{compactCount(sum)}</span>}
    </div>
  );
}

/** As many times below the bars as there is room for, on a phone and elsewhere. */
function Times({ buckets, width }: { buckets: readonly { at: string }[]; width: BucketWidth }) {
  const [few, many] = [everyNth(buckets.length, 5), everyNth(buckets.length, 12)];
  return buckets.map(({ at }, index) => {
    const [isOfFew, isOfMany] = [index % few === 0, index % many === 0];
    if (!isOfFew && !isOfMany) return null;
    return (
      <span
        key={at}
        className={clsx(
          "absolute top-full mt-2",
          text,
          !isOfFew && "@max-xl:hidden",
          !isOfMany && "@xl:hidden",
        )}
        style={shiftOf(index, buckets.length)}
      >
        {barTime(at, width, "axis")}
      </span>
    );
  });
}
