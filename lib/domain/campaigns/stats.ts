import { and, asc, desc, eq, inArray, sql, type Column } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { hourlyFigures, linkFigures, links } from "@/db/schema";
import { arrivalOf, rateOf } from "@/lib/ground/counters/arrival";
import type { CampaignActivity, CampaignFigures, CampaignStats } from "./stats-schema";

const total = (column: Column) => sql<number>`coalesce(sum(${column}), 0)::int`;

const figureColumns = {
  settled: total(hourlyFigures.settled),
  sent: total(hourlyFigures.sent),
  delivered: total(hourlyFigures.delivered),
  inferred: total(hourlyFigures.inferred),
  opened: total(hourlyFigures.opened),
  clicked: total(hourlyFigures.clicked),
  bounced: total(hourlyFigures.bounced),
  complained: total(hourlyFigures.complained),
  unsubscribed: total(hourlyFigures.unsubscribed),
  failed: total(hourlyFigures.failed),
  machineOpens: total(hourlyFigures.machineOpens),
  machineClicks: total(hourlyFigures.machineClicks),
};
type Figures = Record<keyof typeof figureColumns, number>;
const noFigures = Object.fromEntries(
  Object.keys(figureColumns).map((name) => [name, 0]),
) as Figures;

function toFigures(recipients: number, row: Figures): CampaignFigures {
  // Mail that a server refused was handed over, too; `failed` mail never was.
  const handedOver = Math.max(row.sent, row.settled - row.failed);
  const { confirmed, arrived, deliveryRate } = arrivalOf({ ...row, sent: handedOver });
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
    deliveryConfirmed: confirmed,
    deliveryRate: rateOf(deliveryRate, 1),
    bounceRate: rateOf(row.bounced, handedOver),
    openRate: rateOf(row.opened, arrived),
    clickRate: rateOf(row.clicked, arrived),
    complaintRate: rateOf(row.complained, arrived),
    unsubscribeRate: rateOf(row.unsubscribed, arrived),
    machineOpens: row.machineOpens,
    machineClicks: row.machineClicks,
  };
}

/** The figures of one project's campaigns, by uuid: the sum of what deliveries and readers added. */
export async function readFigures(
  executor: Executor,
  projectId: string,
  campaigns: readonly { id: string; recipients: number }[],
): Promise<(id: string) => CampaignFigures> {
  const rows =
    campaigns.length === 0
      ? []
      : await executor
          .select({ campaignId: hourlyFigures.campaignId, ...figureColumns })
          .from(hourlyFigures)
          .where(
            and(
              eq(hourlyFigures.projectId, projectId),
              inArray(
                hourlyFigures.campaignId,
                campaigns.map(({ id }) => id),
              ),
            ),
          )
          .groupBy(hourlyFigures.campaignId);
  const byId = new Map(rows.map((row) => [row.campaignId, row]));
  const recipients = new Map(campaigns.map((campaign) => [campaign.id, campaign.recipients]));
  return (id) => toFigures(recipients.get(id) ?? 0, byId.get(id) ?? noFigures);
}

/** The same of one campaign, with its links. */
export async function readStats(
  executor: Executor,
  projectId: string,
  campaign: { id: string; recipients: number },
): Promise<CampaignStats> {
  const figures = (await readFigures(executor, projectId, [campaign]))(campaign.id);
  const clicks = total(linkFigures.clicks);
  const uniqueClicks = total(linkFigures.uniqueClicks);
  // The same address in the text and in the HTML becomes one row of the table.
  const clickedLinks = await executor
    .select({ url: links.url, clicks, uniqueClicks })
    .from(links)
    .leftJoin(linkFigures, eq(linkFigures.linkId, links.id))
    .where(and(eq(links.campaignId, campaign.id), eq(links.projectId, projectId)))
    .groupBy(links.url)
    .orderBy(desc(uniqueClicks), desc(clicks), asc(links.url))
    .limit(500);
  return { ...figures, links: clickedLinks };
}

/** A campaign's hours in which something happened, oldest first. */
export async function readActivity(
  executor: Executor,
  projectId: string,
  campaignId: string,
): Promise<CampaignActivity> {
  const data = await executor
    .select({
      hour: sql<string>`to_char(${hourlyFigures.hour} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
      sent: figureColumns.sent,
      delivered: figureColumns.delivered,
      opened: figureColumns.opened,
      clicked: figureColumns.clicked,
    })
    .from(hourlyFigures)
    .where(and(eq(hourlyFigures.projectId, projectId), eq(hourlyFigures.campaignId, campaignId)))
    .groupBy(hourlyFigures.hour)
    .orderBy(asc(hourlyFigures.hour));
  return { data };
}
