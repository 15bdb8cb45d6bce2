import type { Bucket } from "@/components/chart/bars";
import type { Departures, DepartureScope } from "@/lib/domain/departures/schema";
import { phrases } from "@/lib/ground/texts/t";

/** The ways people leave. */
export const throughWords: Record<Departures["through"][number]["type"], string> = phrases({
  link: "On the preference page",
  oneClick: "With their mail program’s button",
  complaint: "By reporting an email as spam",
  confirmation: "With the link in a confirmation",
  user: "Taken out by a user",
  apiKey: "Taken out by an API key",
  platformToken: "Taken out by a platform token",
  import: "By an import",
  system: "By Lettermill",
});

const dayMilliseconds = 86_400_000;

/** A bucket for each day from the first to today (UTC), including those on which nobody left. */
export function daysSince(
  first: string,
  days: Departures["days"],
  now = Date.now(),
): Bucket<DepartureScope>[] {
  const byDay = new Map(days.map((day) => [day.day, day]));
  const buckets: Bucket<DepartureScope>[] = [];
  for (let time = Date.parse(first); time <= now; time += dayMilliseconds) {
    const at = new Date(time).toISOString();
    const { everything, list, topic } = byDay.get(at.slice(0, 10)) ?? nobody;
    buckets.push({ at, everything, list, topic });
  }
  return buckets;
}

const nobody = { everything: 0, list: 0, topic: 0 };
