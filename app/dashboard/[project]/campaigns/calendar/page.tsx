import type { Metadata } from "next";
import { CampaignCalendar } from "@/components/campaigns/campaign-calendar";
import { getCampaignCalendar } from "@/lib/domain/campaigns/calendar";
import { calendarPageQuery } from "@/lib/domain/campaigns/calendar-schema";
import { t } from "@/lib/ground/texts/t";
import { readQuery, type SearchParams } from "../../../search-params";
import { openProject } from "../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Calendar") };
}

export default async function CalendarPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { context } = await openProject((await params).project);
  const query = await readQuery(calendarPageQuery, searchParams);
  const today = new Date().toISOString();
  const month = query.month ?? today.slice(0, 7);
  const initial = await getCampaignCalendar(context, { month });
  return <CampaignCalendar key={month} initial={initial} now={today} />;
}
