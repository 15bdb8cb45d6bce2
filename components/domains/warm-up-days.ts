import type { Warmup } from "@/lib/domain/warm-up/schema";
import type { Bucket } from "@/components/chart/bars";

/** Days of the past and of the future that the chart shows: later caps would dwarf today's. */
const pastDays = 14;
const futureDays = 4;

export type DayKey = "campaigns" | "transactional" | "open";

const dayMilliseconds = 86_400_000;
/** ISO time of the UTC day this many days after another. */
const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * dayMilliseconds).toISOString();

/** The days of a plan: what was sent, and what the cap left, or leaves, open. */
export function warmupDays({ history, schedule, day, state }: Warmup): Bucket<DayKey>[] {
  const past = history.slice(-pastDays).map((one) => ({
    at: dayAfter(one.day, 0),
    campaigns: one.campaigns,
    transactional: one.transactional,
    open: Math.max(0, (one.cap ?? 0) - one.campaigns - one.transactional),
  }));
  const today = history.at(-1)?.day;
  // While it is slowed, nobody knows which cap comes on which day.
  if (day === null || today === undefined || state === "slowed") return past;
  const planned = schedule.slice(day, day + futureDays).map((cap, index) => ({
    at: dayAfter(today, index + 1),
    campaigns: 0,
    transactional: 0,
    open: cap,
  }));
  return [...past, ...planned];
}

/** Days, from 1, on which more than twice the previous day's mail would go out. */
export function steepDays(schedule: readonly number[]): number[] {
  return schedule.flatMap((cap, index) => {
    const before = schedule[index - 1];
    return before !== undefined && cap > 2 * before ? [index + 1] : [];
  });
}
