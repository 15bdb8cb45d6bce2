import { sql, type SQL } from "drizzle-orm";
import { emails, linkClicks, links } from "@/db/schema";
import { ownedBy } from "@/lib/ground/by-id";
import type { Context } from "@/lib/ground/context";

/** As many emails are looked up and sorted; where more were clicked in, the log of the campaign is full of them. */
const mostClicked = 2_000;

/** SQL: the ids of a link: each content of a campaign (uuid) has its own. */
const idsOf = (projectId: string, campaignId: string, url: string): SQL => sql`
  array(select ${links.id} from ${links}
    where ${links.campaignId} = ${campaignId} and ${ownedBy(links.projectId, projectId)} and ${links.url} = ${url})`;

/** SQL: a person followed the link in the email. The cheapest comes first. */
export const hasClicked = (projectId: string, campaignId: string, url: string): SQL[] => [
  sql`${emails.clickedAt} is not null`,
  sql`(select true from ${linkClicks} where ${linkClicks.emailId} = ${emails.id}
    and ${linkClicks.linkId} = any(${idsOf(projectId, campaignId, url)}) limit 1)`,
];

/** The emails (uuids) in which a person followed the link; null: they are many. */
export async function fewClicked(
  { db, projectId }: Context,
  campaignId: string,
  url: string,
): Promise<string[] | null> {
  const rows = await db.execute<{ email_id: string }>(sql`
    select ${linkClicks.emailId} from ${linkClicks}
    where ${linkClicks.linkId} = any(${idsOf(projectId, campaignId, url)}) limit ${mostClicked + 1}::int`);
  return rows.length > mostClicked ? null : rows.map(({ email_id: id }) => id);
}
