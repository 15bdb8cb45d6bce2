/** A time as the API writes it; null: there is none. Rows read without the query builder hold times as text. */
export function isoTime(time: string | Date | null | undefined): string | null {
  return time === null || time === undefined ? null : new Date(time).toISOString();
}
