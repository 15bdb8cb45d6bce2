import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";

/** What workers listen for. */
type Channel = "campaigns_due" | "emails_due" | "webhooks_due";

/** The least time between a process's announcements on one channel. */
const intervalMilliseconds = 20;

interface Announced {
  /** By performance.now(). */
  at: number;
  timer: NodeJS.Timeout | null;
}

const announced = new WeakMap<Database, Map<Channel, Announced>>();

/**
 * Tells the workers that something is due: at once, and no more than once in 20 ms. To be called after
 * the commit: a transaction that notifies holds a lock over the whole database while it commits, so
 * notifying within it halves the commits a second. Nothing is lost if it fails: workers look once a
 * second anyway.
 */
export function announce(db: Database, channel: Channel): void {
  let channels = announced.get(db);
  if (!channels) announced.set(db, (channels = new Map<Channel, Announced>()));
  const last = channels.get(channel) ?? { at: -Infinity, timer: null };
  channels.set(channel, last);
  if (last.timer) return;
  const wait = last.at + intervalMilliseconds - performance.now();
  if (wait <= 0) notify(db, channel, last);
  else last.timer = setTimeout(() => notify(db, channel, last), wait);
}

function notify(db: Database, channel: Channel, last: Announced): void {
  last.timer = null;
  last.at = performance.now();
  db.execute(sql`select pg_notify(${channel}, '')`).catch(() => {});
}
