"use client";

import clsx from "clsx";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useProjectPath } from "@/components/api/project-context";
import { useRead } from "@/components/api/use-read";
import { NotUpToDate } from "@/components/list-page/not-up-to-date";
import { LinkButton } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import { counted } from "@/components/ui/numbers";
import { PageHeader } from "@/components/ui/page-header";
import {
  dayIn,
  monthAfter,
  weeksOf,
  type CalendarDay,
  type CalendarEntry,
  type CampaignCalendar as Calendar,
} from "@/lib/domain/campaigns/calendar-schema";
import { dateFormat } from "@/lib/ground/texts/formats";
import { t } from "@/lib/ground/texts/t";
import { CampaignStatus, campaignWord } from "./campaign-status";

const never = () => () => undefined;

/** The viewer's time zone; UTC until the browser has taken over, since the server does not know it. */
const useTimeZone = () =>
  useSyncExternalStore(
    never,
    () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => "UTC",
  );

const written = (date: string, format: Intl.DateTimeFormatOptions) =>
  dateFormat({ ...format, timeZone: "UTC" }).format(new Date(`${date}T00:00:00Z`));
const nameOf = (month: string) => written(`${month}-01`, { month: "long", year: "numeric" });
const nameWithoutYear = (month: string) => written(`${month}-01`, { month: "long" });
const nameOfDay = (date: string) =>
  written(date, { weekday: "long", day: "numeric", month: "long" });

/** Campaigns by day: a month as a grid, on a phone as a list of the days that have some. */
export function CampaignCalendar({ initial, now }: { initial: Calendar; now: string }) {
  const path = useProjectPath();
  const timeZone = useTimeZone();
  const { month } = initial;
  const reading = useRead(
    "GET /v1/campaigns/calendar",
    { query: { month } },
    { initial, every: 30_000 },
  );
  const weeks = weeksOf(reading.data, timeZone);
  const today = dayIn(timeZone, new Date(now));
  const shown = weeks.flat().reduce((sum, { entries }) => sum + entries.length, 0);
  const to = (other: string) => path(`campaigns/calendar?month=${other}`);
  return (
    <>
      <PageHeader
        back={{ href: path("campaigns"), label: t("Campaigns") }}
        title={nameOf(month)}
        description={t(
          "{shown}, by the day on which each began, is scheduled, or has to be out. Days and times are in {timeZone}.",
          { shown: counted(shown, "campaign"), timeZone },
        )}
        actions={
          <nav aria-label={t("Month")} className="flex flex-wrap items-center gap-2">
            <LinkButton href={to(monthAfter(month, -1))}>
              <ChevronLeft aria-hidden /> {nameWithoutYear(monthAfter(month, -1))}
            </LinkButton>
            <LinkButton href={path("campaigns/calendar")}>{t("Today")}</LinkButton>
            <LinkButton href={to(monthAfter(month, 1))}>
              {nameWithoutYear(monthAfter(month, 1))} <ChevronRight aria-hidden />
            </LinkButton>
          </nav>
        }
      />
      <NotUpToDate of={reading} title={t("The calendar is out of date")} />
      {!reading.data.complete && (
        <div className="mb-5">
          <Callout kind="info">{t("Only the first campaigns of the month are shown.")}</Callout>
        </div>
      )}
      <Grid weeks={weeks} today={today} timeZone={timeZone} month={month} />
      <Agenda days={weeks.flat()} today={today} timeZone={timeZone} />
    </>
  );
}

function Grid({
  weeks,
  today,
  timeZone,
  month,
}: {
  weeks: readonly CalendarDay[][];
  today: string;
  timeZone: string;
  month: string;
}) {
  return (
    <table className="w-full table-fixed border-collapse text-sm max-md:hidden">
      <caption className="sr-only">{t("Campaigns of {month}", { month: nameOf(month) })}</caption>
      <thead>
        <tr>
          {weeks[0]?.map(({ date }) => (
            <th key={date} scope="col" className="eyebrow px-2 py-2 text-left">
              <abbr title={written(date, { weekday: "long" })} className="no-underline">
                {written(date, { weekday: "short" })}
              </abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]?.date}>
            {week.map(({ date, inMonth, entries }) => (
              <td
                key={date}
                className={clsx(
                  "h-28 border border-rule p-1.5 align-top",
                  inMonth ? "bg-sheet" : "bg-sunken",
                )}
              >
                <time
                  dateTime={date}
                  aria-current={date === today ? "date" : undefined}
                  aria-label={nameOfDay(date)}
                  className={clsx(
                    "inline-grid min-w-6 place-items-center px-1 text-xs",
                    date === today
                      ? "rounded-full bg-ink font-semibold text-paper"
                      : inMonth
                        ? "text-soft"
                        : "text-faint",
                  )}
                >
                  {Number(date.slice(8))}
                </time>
                <ul className="mt-1 grid gap-1">
                  {entries.map((entry) => (
                    <li key={entry.id}>
                      <GridEntry entry={entry} timeZone={timeZone} />
                    </li>
                  ))}
                </ul>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How an entry of the grid looks, by what it tells: that it is over, to come, not decided, or in trouble. */
const looks: Record<CalendarEntry["status"], string> = {
  DRAFT: "border-dashed border-control text-soft",
  SCHEDULED: "border-info text-info",
  SENDING: "border-accent text-accent-ink",
  PAUSED: "border-warning text-warning",
  SENT: "border-success text-success",
  CANCELLED: "border-control text-soft",
  FAILED: "border-danger text-danger",
};

const timeOf = ({ at, status }: CalendarEntry, timeZone: string) => {
  const clock = { hour: "2-digit", minute: "2-digit", timeZone } as const;
  const time = dateFormat(clock).format(new Date(at));
  return status === "DRAFT" ? t("by {time}", { time }) : time;
};

function GridEntry({ entry, timeZone }: { entry: CalendarEntry; timeZone: string }) {
  const path = useProjectPath();
  const { id, name, status } = entry;
  return (
    <Link
      href={path(`campaigns/${id}`)}
      title={name}
      className={clsx(
        "block rounded-sm border border-l-3 bg-paper px-1.5 py-1 text-xs hover:bg-hover",
        looks[status],
      )}
    >
      <span className="line-clamp-2 font-medium wrap-anywhere text-ink">{name}</span>
      <span className="block truncate">
        {campaignWord(status)}, {timeOf(entry, timeZone)}
      </span>
    </Link>
  );
}

function Agenda({
  days,
  today,
  timeZone,
}: {
  days: readonly CalendarDay[];
  today: string;
  timeZone: string;
}) {
  const path = useProjectPath();
  const busy = days.filter(({ entries }) => entries.length > 0);
  if (busy.length === 0) {
    return <p className="text-sm text-soft md:hidden">{t("No campaigns in this month.")}</p>;
  }
  return (
    <ol className="grid gap-6 md:hidden" aria-label={t("Days with campaigns")}>
      {busy.map(({ date, entries }) => (
        <li key={date}>
          <h2 className="eyebrow mb-1">
            {date === today ? t("{day}, today", { day: nameOfDay(date) }) : nameOfDay(date)}
          </h2>
          <ul className="border-t">
            {entries.map((entry) => (
              <li key={entry.id} className="relative border-b py-2.5">
                <Link
                  href={path(`campaigns/${entry.id}`)}
                  className="block text-sm font-medium wrap-anywhere after:absolute after:inset-0"
                >
                  {entry.name}
                </Link>
                <p className="mt-1 flex flex-wrap items-center gap-x-3 text-xs text-soft">
                  <CampaignStatus status={entry.status} />
                  {timeOf(entry, timeZone)}
                </p>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}
