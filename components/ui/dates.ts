import { dateFormat } from "@/lib/ground/texts/formats";

/* How instants are written, in one place. Without a zone: the viewer's, or the server's while it renders. */

const minute = { hour: "2-digit", minute: "2-digit" } as const;
const day = { day: "numeric", month: "short" } as const;

const inZone = (zone: string | undefined) => (zone === undefined ? {} : { timeZone: zone });

/** `Saturday 21 November 2026 at 12:00:00 CET` */
export const fullTime = (instant: Date, zone?: string) =>
  dateFormat({ dateStyle: "full", timeStyle: "long", ...inZone(zone) }).format(instant);

/** `21 Nov 2026, 12:00:05`; without seconds where the minute is all there is. */
export const exactTime = (instant: Date, { seconds, zone }: { seconds: boolean; zone?: string }) =>
  dateFormat({
    ...day,
    year: "numeric",
    ...minute,
    ...(seconds ? { second: "2-digit" as const } : {}),
    ...inZone(zone),
  }).format(instant);

/** `21 Nov 2026` */
export const fullDay = (instant: Date, zone?: string) =>
  dateFormat({ ...day, year: "numeric", ...inZone(zone) }).format(instant);

const formats = {
  hour: {
    axis: minute,
    full: { weekday: "short", ...minute },
  },
  // Days of figures are UTC days.
  day: {
    axis: { ...day, timeZone: "UTC" },
    full: { weekday: "short", ...day, timeZone: "UTC" },
  },
  month: {
    axis: { month: "short", timeZone: "UTC" },
    full: { month: "long", year: "numeric", timeZone: "UTC" },
  },
} as const;

/**
 * The beginning of a bar's hour, UTC day or UTC month: `12:00`, `21 Nov` or `Nov` on the axis, with the weekday or the
 * year in full.
 */
export const barTime = (at: string, width: "hour" | "day" | "month", where: "axis" | "full") =>
  dateFormat(formats[width][where]).format(new Date(at));
