import { counted } from "@/lib/ground/amount";
import { t } from "@/lib/ground/texts/t";

/** A count at an instant (milliseconds). */
export interface Sample {
  at: number;
  count: number;
}

/** Rows per second between two samples, and the seconds left at that pace; null while unknown. */
export function paceOf(
  first: Sample,
  last: Sample,
  total: number,
): { perSecond: number; secondsLeft: number } | null {
  const seconds = (last.at - first.at) / 1000;
  if (seconds < 0.5 || last.count <= first.count) return null;
  const perSecond = (last.count - first.count) / seconds;
  return { perSecond, secondsLeft: Math.max(0, total - last.count) / perSecond };
}

/** `a few seconds`, `40 seconds`, `3 minutes`, `2 hours`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 5) return t("a few seconds");
  if (seconds < 90) return counted(Math.round(seconds / 5) * 5, "second");
  if (seconds < 90 * 60) return counted(Math.round(seconds / 60), "minute");
  return counted(Math.round(seconds / 3600), "hour");
}
