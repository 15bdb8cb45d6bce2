import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import type { CampaignActivity, CampaignFigures, CampaignStats } from "./schema";

const noFigures = {
  settled: 0,
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  complained: 0,
  unsubscribed: 0,
  failed: 0,
  machine_opens: 0,
  machine_clicks: 0,
};

type Figures = typeof noFigures;
type FigureRow = Figures & { campaign_id: string } & Record<string, unknown>;

/** Four digits: a rate is shown as a percentage with two. */
const rate = (count: number, of: number) =>
  of === 0 ? 0 : Math.min(1, Math.round((count / of) * 10_000) / 10_000);

function toFigures(recipients: number, row: Figures): CampaignFigures {
  // What a server refused was handed over, too; `failed` never left the house.
  const handedOver = Math.max(row.sent, row.settled - row.failed);
  return {
    recipients,
    pending: Math.max(0, recipients - row.settled),
    sent: row.sent,
    delivered: row.delivered,
    opened: row.opened,
    clicked: row.clicked,
    bounced: row.bounced,
    complained: row.complained,
    unsubscribed: row.unsubscribed,
    failed: row.failed,
    deliveryRate: rate(row.delivered, handedOver),
    bounceRate: rate(row.bounced, handedOver),
    openRate: rate(row.opened, row.delivered),
    clickRate: rate(row.clicked, row.delivered),
    complaintRate: rate(row.complained, row.delivered),
    unsubscribeRate: rate(row.unsubscribed, row.delivered),
    machineOpens: row.machine_opens,
    machineClicks: row.machine_clicks,
  };
}

/** The figures of campaigns of one project, by uuid: summed from what deliveries and readers added. */
export async function readFigures(
  executor: Executor,
  projectId: string,
  campaigns: readonly { id: string; recipients: number }[],
): Promise<(id: string) => CampaignFigures> {
  const rows =
    campaigns.length === 0
      ? []
      : await executor.execute<FigureRow>(sql`
          select campaign_id, sum(settled)::int as settled, sum(sent)::int as sent,
            sum(delivered)::int as delivered, sum(opened)::int as opened,
            sum(clicked)::int as clicked, sum(bounced)::int as bounced,
            sum(complained)::int as complained, sum(unsubscribed)::int as unsubscribed,
            sum(failed)::int as failed, sum(machine_opens)::int as machine_opens,
            sum(machine_clicks)::int as machine_clicks
          from hourly_figures
          where project_id = ${projectId}
            and campaign_id = any(${sql.param(campaigns.map(({ id }) => id))}::uuid[])
          group by campaign_id`);
  const byId = new Map(rows.map((row) => [row.campaign_id, row]));
  const recipients = new Map(campaigns.map((one) => [one.id, one.recipients]));
  return (id) => toFigures(recipients.get(id) ?? 0, byId.get(id) ?? noFigures);
}

/** The same of one campaign, with its links. */
export async function readStats(
  executor: Executor,
  projectId: string,
  campaign: { id: string; recipients: number },
): Promise<CampaignStats> {
  const figures = (await readFigures(executor, projectId, [campaign]))(campaign.id);
  // One link of a text and one of its HTML are the same to who reads the table.
  const links = await executor.execute<{ url: string; clicks: number; unique_clicks: number }>(sql`
    select links.url, coalesce(sum(f.clicks), 0)::int as clicks,
      coalesce(sum(f.unique_clicks), 0)::int as unique_clicks
    from links left join link_figures f on f.link_id = links.id
    where links.campaign_id = ${campaign.id} and links.project_id = ${projectId}
    group by links.url order by unique_clicks desc, clicks desc, links.url limit 500`);
  return {
    ...figures,
    links: links.map(({ url, clicks, unique_clicks: uniqueClicks }) => ({
      url,
      clicks,
      uniqueClicks,
    })),
  };
}

/** A campaign's hours in which something happened, oldest first. */
export async function readActivity(
  executor: Executor,
  projectId: string,
  campaignId: string,
): Promise<CampaignActivity> {
  const rows = await executor.execute<CampaignActivity["data"][number] & Record<string, unknown>>(
    sql`
      select to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as hour,
        sum(sent)::int as sent, sum(delivered)::int as delivered,
        sum(opened)::int as opened, sum(clicked)::int as clicked
      from hourly_figures
      where project_id = ${projectId} and campaign_id = ${campaignId}
      group by hourly_figures.hour order by hourly_figures.hour`,
  );
  return { data: [...rows] };
}
