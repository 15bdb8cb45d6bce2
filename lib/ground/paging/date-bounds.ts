import { sql, type SQL } from "drizzle-orm";
import type { DateRange } from "./schema";

const instantOf = (text: string) => (text.length === 10 ? `${text}T00:00:00Z` : text);

/** Conditions that keep a time within a range, both ends included. A bare date means the whole UTC day. */
export function withinDates(time: SQL, { startDate, endDate }: DateRange): SQL[] {
  const conditions: SQL[] = [];
  if (startDate) conditions.push(sql`${time} >= ${instantOf(startDate)}`);
  if (endDate) {
    conditions.push(
      endDate.length === 10
        ? sql`${time} < ${instantOf(endDate)}::timestamptz + interval '1 day'`
        : // An answer shows milliseconds: the time it gives must not leave its own item out.
          sql`${time} < ${endDate}::timestamptz + interval '1 millisecond'`,
    );
  }
  return conditions;
}

/** The same range in milliseconds, its end excluded; infinite where it is open. */
export function rangeMilliseconds({ startDate, endDate }: DateRange) {
  const wholeDay = endDate?.length === 10 ? 86_400_000 : 1;
  return {
    from: startDate ? Date.parse(instantOf(startDate)) : Number.NEGATIVE_INFINITY,
    before: endDate ? Date.parse(instantOf(endDate)) + wholeDay : Number.POSITIVE_INFINITY,
  };
}
