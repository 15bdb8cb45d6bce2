import type { DateRange } from "@/lib/ground/paging/schema";
import { rangeMilliseconds } from "@/lib/ground/paging/date-bounds";

/**
 * Splits a range of days into what the totals cover and what only the daily figures have. Times are in
 * milliseconds.
 */
export interface Span {
  /** The first moment, and the first one after its end. */
  from: number;
  before: number;
  /** Days before this are in the totals. */
  folded: number;
  /** Months that are read from the totals, the last one only as far as it is over. */
  months: { from: number; before: number };
  /** Days that are read from the figures. */
  days: { from: number; before: number }[];
}

const monthOf = (time: number, offset = 0) => {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset);
};

/** `folded`: up to where days have been added to the totals. */
export function spanOf(query: DateRange, folded: number): Span {
  const { from, before } = rangeMilliseconds(query);
  const first = Number.isFinite(from) ? monthOf(from - 1, 1) : from;
  const end = before >= folded ? folded : monthOf(before);
  const whole = { from, before, folded };
  if (first >= end) return { ...whole, months: { from: 0, before: 0 }, days: [{ from, before }] };
  const days = [
    { from, before: first },
    { from: end, before },
  ];
  return {
    ...whole,
    months: { from: first, before: end },
    days: days.filter((edge) => edge.from < edge.before),
  };
}
