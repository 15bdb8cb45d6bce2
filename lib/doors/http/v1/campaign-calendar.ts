import { getCampaignCalendar } from "@/lib/domain/campaigns/calendar";
import { calendarQuery, campaignCalendar } from "@/lib/domain/campaigns/calendar-schema";
import { operation } from "@/lib/doors/http/surface/operation";

/** Before those of a single campaign: its path would be one's id. */
export const campaignCalendarOperation = operation({
  method: "get",
  path: "/v1/campaigns/calendar",
  name: "getCampaignCalendar",
  summary: "A month of campaigns",
  tag: "Campaigns",
  access: "viewer",
  rate: "api",
  sessionOnly: true,
  query: calendarQuery,
  answer: campaignCalendar,
  successStatuses: [200],
  run: async (ctx, { query }) => ({ status: 200, body: await getCampaignCalendar(ctx, query) }),
});
