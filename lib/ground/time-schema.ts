import { z } from "zod";

/* What JavaScript and Postgres write alike of time: the years 1 to 9999 in UTC. */

const first = Date.parse("0001-01-01T00:00:00.000Z");
const last = Date.parse("9999-12-31T23:59:59.999Z");

/** False for an ISO date or time of other years, and for a zone that Postgres does not read. True for any other text. */
export function isStorableTime(text: string): boolean {
  if (/[+-](?:1[6-9]|2\d):\d\d$/.test(text)) return false;
  const time = Date.parse(text);
  return !(time < first || time > last);
}

/** A time in milliseconds, infinite ones included, as Postgres reads it; beyond those years it is infinite. */
export function postgresTime(milliseconds: number): string {
  if (milliseconds < first) return "-infinity";
  return milliseconds > last ? "infinity" : new Date(milliseconds).toISOString();
}

/** The nearest time of those years, in milliseconds. */
export const nearestStorable = (milliseconds: number) =>
  Math.min(last, Math.max(first, milliseconds));

export const notStorable =
  "is not a time of the years 1 to 9999 in UTC, with a zone of at most 15:59 hours";

/** A time that a caller sends, with its zone. ISO 8601 bounds no fraction of a second: nanoseconds fit. */
export const instant = z.iso
  .datetime({ offset: true, error: "is not an ISO 8601 time with a zone" })
  .max(40, "is longer than 40 characters")
  .refine(isStorableTime, notStorable);
