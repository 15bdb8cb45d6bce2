import { sql, type SQL } from "drizzle-orm";
import type { Database } from "@/db/client";

/** A database whose clock a test moves forward. */
export interface Clock {
  readonly db: Database;
  travel: (interval: string) => Promise<void>;
}

/** Moves a database's clock forward to a time, given as an SQL expression. */
export async function travelTo({ db, travel }: Clock, time: SQL): Promise<void> {
  const [row] = await db.execute<{ seconds: number }>(sql`
    select ceil(extract(epoch from ${time} - app_now()))::int as seconds`);
  await travel(`${row?.seconds ?? 0} seconds`);
}

/** The last minutes of the first hour after the next midnight UTC: all of a warm-up's share may leave. */
export const endOfNextDaysFirstHour = sql`date_trunc('day', app_now(), 'UTC') + interval '1 day 55 minutes'`;

/** The last minutes of the next hour: all of a warm-up's share may leave. */
export const endOfNextHour = sql`date_trunc('hour', app_now(), 'UTC') + interval '1 hour 55 minutes'`;
