import type { CampaignActivity } from "./stats-schema";

/** An hour or a day. */
interface ActivityBucket {
  /** ISO 8601: its beginning. */
  at: string;
  opened: number;
  clicked: number;
}

export interface ActivityBuckets {
  /** Otherwise each is a UTC day. */
  hourly: boolean;
  buckets: ActivityBucket[];
}

const hour = 3_600_000;
const mostHours = 72;
const mostDays = 60;

/**
 * Opens and clicks without gaps, from the first hour on: by the hour for three days, by UTC day if they go
 * on longer. Only the first two months: later ones are rare. A few hours go on to half a day, as far as it has passed.
 */
export function bucketsOf({ data }: CampaignActivity, now = new Date()): ActivityBuckets {
  const [first] = data;
  const last = data.at(-1);
  if (!first || !last) return { hourly: true, buckets: [] };
  const hourly = Date.parse(last.hour) - Date.parse(first.hour) < mostHours * hour;
  const width = hourly ? hour : 24 * hour;
  const start = Math.floor(Date.parse(first.hour) / width) * width;
  const end = Math.min(Date.parse(last.hour), start + mostDays * 24 * hour);
  const buckets: ActivityBucket[] = [];
  // A lone bar says nothing, and hours to come look like hours in which nobody read.
  const halfDay = Math.min(start + 11 * hour, now.getTime());
  for (let at = start; at <= end || (hourly && at <= halfDay); at += width) {
    buckets.push({ at: new Date(at).toISOString(), opened: 0, clicked: 0 });
  }
  for (const hourOfActivity of data) {
    const bucket = buckets[Math.floor((Date.parse(hourOfActivity.hour) - start) / width)];
    if (!bucket) continue;
    bucket.opened += hourOfActivity.opened;
    bucket.clicked += hourOfActivity.clicked;
  }
  return { hourly, buckets };
}
