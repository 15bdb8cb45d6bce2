import { z } from "zod";
import { campaignStatuses } from "@/db/enums";

const day = 86_400_000;
/** Nobody's clock is further from UTC than this. */
const zoneHours = 14;
export const mostInMonth = 500;

export const calendarMonth = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, "is not a month such as 2026-11")
  .meta({ example: "2026-11" });

export const calendarQuery = z.strictObject({ month: calendarMonth });
/** The page's: this month unless it says otherwise. */
export const calendarPageQuery = z.strictObject({ month: calendarMonth.optional() });
export type CalendarQuery = z.infer<typeof calendarQuery>;

export const campaignCalendar = z
  .object({
    month: calendarMonth,
    data: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        subject: z.string(),
        status: z.enum(campaignStatuses),
        at: z.iso.datetime().meta({
          description:
            "When it began; else when it is scheduled; else its latest time, which a draft may have.",
        }),
      }),
    ),
    complete: z.boolean().meta({ description: `false: only the first ${mostInMonth}.` }),
  })
  .meta({ id: "CampaignCalendar" });
export type CampaignCalendar = z.infer<typeof campaignCalendar>;
export type CalendarEntry = CampaignCalendar["data"][number];

/** The days of a month in anybody's time zone, as two instants. */
export function boundsOf(month: string): { from: Date; to: Date } {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const margin = zoneHours * 3_600_000;
  return {
    from: new Date(Date.UTC(year, number - 1, 1) - margin),
    to: new Date(Date.UTC(year, number, 1) + margin),
  };
}

/** The month some months before or after. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

export interface CalendarDay {
  /** `2026-11-21` */
  date: string;
  /** false: of the month before or after, to fill the week. */
  inMonth: boolean;
  entries: CalendarEntry[];
}

/** The day, in a time zone, that an instant is on. */
export function dayIn(timeZone: string, instant: Date): string {
  const parts = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, calendar: "gregory", numberingSystem: "latn" },
    ...{ year: "numeric", month: "2-digit", day: "2-digit" },
  }).formatToParts(instant);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}`;
}

/** The weeks of a month, from Monday on, with what is on each of its days in a time zone, in order. */
export function weeksOf({ month, data }: CampaignCalendar, timeZone: string): CalendarDay[][] {
  const byDay = new Map<string, CalendarEntry[]>();
  for (const entry of data) {
    const date = dayIn(timeZone, new Date(entry.at));
    byDay.set(date, [...(byDay.get(date) ?? []), entry]);
  }
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const monday = first - ((new Date(first).getUTCDay() + 6) % 7) * day;
  const weeks: CalendarDay[][] = [];
  const next = Date.parse(`${monthAfter(month, 1)}-01T00:00:00Z`);
  for (let start = monday; start < next; start += 7 * day) {
    weeks.push(
      Array.from({ length: 7 }, (_, index) => {
        const date = new Date(start + index * day).toISOString().slice(0, 10);
        const inMonth = date.startsWith(month);
        return { date, inMonth, entries: inMonth ? (byDay.get(date) ?? []) : [] };
      }),
    );
  }
  return weeks;
}
