import type { Bucket } from "@/components/chart/bars";
import type { CampaignSpread } from "@/lib/domain/campaigns/spread-schema";

const hour = 3_600_000;
/** A campaign is spread over a day; one that was paused for a long time goes on beyond that. */
const most = 72;

/** Each hour from the first to the last in which something went out or is due. */
export function hoursBetween(hours: CampaignSpread["hours"]): Bucket<"sent" | "waiting">[] {
  const [first] = hours;
  const last = hours.at(-1);
  if (!first || !last) return [];
  const start = Date.parse(first.hour);
  const width = Math.min(most, (Date.parse(last.hour) - start) / hour + 1);
  const byHour = new Map(hours.map((bucket) => [Date.parse(bucket.hour), bucket]));
  return Array.from({ length: width }, (_, index) => {
    const at = start + index * hour;
    const { sent = 0, waiting = 0 } = byHour.get(at) ?? {};
    return { at: new Date(at).toISOString(), sent, waiting };
  });
}
