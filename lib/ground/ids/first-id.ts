import { sql, type SQL } from "drizzle-orm";

/** SQL: the first id (UUIDv7) of a time. Keys that begin with an id are in chronological order. */
export const firstIdOf = (instant: SQL) =>
  sql`rpad(lpad(to_hex((extract(epoch from ${instant}) * 1000)::bigint), 12, '0'), 32, '0')::uuid`;
