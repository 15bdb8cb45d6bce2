import { sql, type SQL } from "drizzle-orm";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { firstIdOf } from "@/lib/ground/ids/first-id";
import { rangeMilliseconds, withinDates } from "@/lib/ground/paging/date-bounds";
import type { DateRange } from "@/lib/ground/paging/schema";
import { nearestStorable, postgresTime } from "@/lib/ground/time-schema";

/**
 * Milliseconds that a contact's id and its created_at may be apart: the former is made by the clock of a program, and
 * the statement that inserts it may have to wait.
 */
const apart = 120_000;

const idAt = (milliseconds: number) =>
  firstIdOf(sql`${postgresTime(nearestStorable(Math.max(0, milliseconds)))}::timestamptz`);

/** SQL: the stretch of the ids of `contacts c` that were added within these dates, and a little more. */
export function nearDates(range: DateRange): SQL[] {
  const { from, before } = rangeMilliseconds(range);
  return [
    ...(Number.isFinite(from) ? [sql`${c.id} >= ${idAt(from - apart)}`] : []),
    ...(Number.isFinite(before) ? [sql`${c.id} < ${idAt(before + apart)}`] : []),
  ];
}

/** SQL: the `contacts c` that were added within these dates, found by their ids. */
export const addedWithin = (range: DateRange): SQL[] => [
  ...nearDates(range),
  ...withinDates(sql`${c.createdAt}`, range),
];
