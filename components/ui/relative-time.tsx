"use client";

import { useDeferredValue, useSyncExternalStore } from "react";
import { spanFormat } from "@/lib/ground/texts/formats";
import { t } from "@/lib/ground/texts/t";
import { exactTime, fullTime } from "./dates";

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** `3 minutes ago`, `in 2 hours`, `in a moment`, `just now`. */
export function formatRelative(instant: Date, now: Date): string {
  const seconds = (instant.getTime() - now.getTime()) / 1000;
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return spanFormat().format(Math.round(seconds / size), unit);
  }
  // The two clocks may differ by seconds.
  return seconds > 10 ? t("in a moment") : t("just now");
}

const tickMilliseconds = 15_000;
const subscribers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

// One timer for all the times on a page.
function subscribe(notify: () => void): () => void {
  subscribers.add(notify);
  timer ??= setInterval(() => subscribers.forEach((run) => run()), tickMilliseconds);
  return () => {
    subscribers.delete(notify);
    if (subscribers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const tick = () => Math.floor(Date.now() / tickMilliseconds);

/** The current tick in the browser; null during hydration. */
function useTick(): number | null {
  return useSyncExternalStore(subscribe, tick, () => null);
}

/** The same, but null until the browser has time for it: a list has a hundred of these. */
function useTickInTime(): number | null {
  return useDeferredValue<number | null>(useSyncExternalStore(subscribe, tick, tick), null);
}

/** An instant as relative text, the exact one on hover in the viewer's zone. */
export function RelativeTime({ value }: { value: string | Date | null | undefined }) {
  const ticking = useTickInTime();
  if (!value) return <span className="text-faint">{t("never")}</span>;
  const instant = typeof value === "string" ? new Date(value) : value;
  return (
    <time
      // What the server wrote may be a minute, and so an hour, behind. React would leave it.
      key={ticking === null ? "server" : "browser"}
      dateTime={instant.toISOString()}
      title={fullTime(instant, ticking === null ? "UTC" : undefined)}
      className="whitespace-nowrap"
      suppressHydrationWarning
    >
      {formatRelative(instant, new Date())}
    </time>
  );
}

/** An instant as date and time in the viewer's zone (UTC until the browser takes over). */
export function ExactTime({ value, seconds = true }: { value: string | Date; seconds?: boolean }) {
  const ticking = useTick();
  const instant = typeof value === "string" ? new Date(value) : value;
  return (
    <time dateTime={instant.toISOString()} className="whitespace-nowrap">
      {exactTime(instant, { seconds, ...(ticking === null ? { zone: "UTC" } : {}) })}
    </time>
  );
}
