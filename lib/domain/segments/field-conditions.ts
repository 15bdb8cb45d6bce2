import { sql, type SQL } from "drizzle-orm";
import type { SegmentScalar } from "./schema";

/** What the operators mean for each kind of field: conditions on `contacts c` that are never null. */
export interface FieldConditions {
  /** Equal to one of the values; the opposite holds for a missing field. */
  equals(values: readonly SegmentScalar[]): SQL;
  /** Has the value as a part or a member. */
  contains(value: SegmentScalar): SQL;
  startsWith(value: string): SQL;
  endsWith(value: string): SQL;
  compares(than: "gt" | "lt", value: SegmentScalar): SQL;
  /** A time from this instant on, up to now. */
  since(instant: SQL): SQL;
  before(instant: SQL): SQL;
  /** Has a value: not null or, for fields that always have one, not empty. */
  exists(): SQL;
}

const never = () => sql`false`;

/** What does not apply to a field matches nobody. */
export const noConditions: FieldConditions = {
  equals: never,
  contains: never,
  startsWith: never,
  endsWith: never,
  compares: never,
  since: never,
  before: never,
  exists: never,
};
