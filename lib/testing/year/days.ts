/** The moments of a simulated year at which somebody does something, and a worker works. */

const minute = 60_000;
const hour = 60 * minute;
export const day = 24 * hour;

/** A moment; `eve`: the last minutes of a month, `first`: the first ones of the next. */
export interface Moment {
  at: number;
  kind: "eve" | "first" | "after" | "day";
}

/** The first of a March to come, eleven months before the end of a leap year's February. */
export function beginningOfYear(now: number): number {
  let year = new Date(now).getUTCFullYear() + 1;
  while (new Date(Date.UTC(year + 1, 1, 29)).getUTCMonth() !== 1) year++;
  return Date.UTC(year, 2);
}

/** Some days of a month, each at another hour, the days around the end of February, and both sides of its end. */
function momentsOf(year: number, month: number): Moment[] {
  const end = Date.UTC(year, month + 1);
  const last = new Date(end - day).getUTCDate();
  const dates = [5, 10, 16, 22, ...(last < 30 ? [27, 28, 29] : [])];
  const days = dates
    .filter((date) => date <= last)
    .map((date): Moment => {
      const within = ((date * 5 + month) % 22) * hour + ((date * 7) % 50) * minute;
      return { at: Date.UTC(year, month, date) + within, kind: "day" };
    });
  return [
    ...days,
    { at: end - 93 * minute, kind: "day" },
    { at: end - 2 * minute, kind: "eve" },
    { at: end + 2 * minute, kind: "first" },
    // Another minute in each month: what is kept for days would end in the very second of a clean-up.
    { at: end + (91 + month) * minute, kind: "after" },
  ];
}

/** Of twelve months from a month's beginning, in their order. */
export function momentsOfYear(beginning: number): Moment[] {
  const start = new Date(beginning);
  return Array.from({ length: 12 }, (_, month) =>
    momentsOf(start.getUTCFullYear(), start.getUTCMonth() + month),
  )
    .flat()
    .toSorted((one, other) => one.at - other.at);
}

export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

/** The beginning of a month, so many months after that of `time`. */
export const monthStart = (time: number, months = 0): number =>
  Date.UTC(new Date(time).getUTCFullYear(), new Date(time).getUTCMonth() + months);
