import { sql, type Column, type SQL } from "drizzle-orm";
import { isoInstant } from "./conditions";
import type { SegmentScalar } from "./schema";

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
