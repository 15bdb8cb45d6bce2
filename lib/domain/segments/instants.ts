import { sql, type Column, type SQL } from "drizzle-orm";
import { isoInstant } from "./condition-schema";
import type { SegmentFilter, SegmentScalar } from "./schema";

/** A millisecond, which is what the API shows of a time: its beginning, and that of the next. */
interface Millisecond {
  from: SQL;
  next: SQL;
  /** False when the value says more than a millisecond: no shown time equals it. */
  exact: boolean;
}

export function millisecond(value: SegmentScalar): Millisecond | null {
  const instant = isoInstant(String(value));
  if (instant === null) return null;
  const time = Date.parse(instant);
  // Postgres knows no year 0 and no sign before a year.
  const literal = (at: number) => {
    const text = new Date(at).toISOString().replace(/^\+0*/, "");
    return sql`${text < "0001" ? "0001-01-01T00:00Z" : text}::timestamptz`;
  };
  const exact = !/\.\d{3}\d*[1-9]/.test(instant);
  return { from: literal(time), next: literal(time + 1), exact };
}

/** Is one of the values, as far as these are instants. */
export function within(column: Column | SQL, values: readonly SegmentScalar[]): SQL {
  const conditions = values.flatMap((value) => {
    const shown = millisecond(value);
    return shown?.exact ? [sql`${column} >= ${shown.from} and ${column} < ${shown.next}`] : [];
  });
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
}

export const later = (column: Column | SQL, { next }: Millisecond) => sql`${column} >= ${next}`;
export const earlier = (column: Column | SQL, { from, next, exact }: Millisecond) =>
  sql`${column} < ${exact ? from : next}`;

/** When a condition's period began: hours, since a day of a time zone may have 23 or 25. */
export const periodStart = ({ days = 0, hours = 24 * days }: SegmentFilter) =>
  sql`(app_now() - make_interval(hours => ${hours}::int))`;

/** The first shown time of a date or date-time that was checked, and the first one behind it; a date is all of its day. */
export const firstMoment = (text: string) => bound(text, "from");
export const afterLast = (text: string) => bound(text, "next");

function bound(text: string, end: "from" | "next"): SQL {
  const shown = millisecond(text);
  if (!shown) throw new Error("A filter was not checked.");
  if (end === "from") return shown.exact ? shown.from : shown.next;
  return text.length === 10 ? sql`(${shown.from} + interval '24 hours')` : shown.next;
}
