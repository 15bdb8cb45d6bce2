import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { CampaignStatus } from "@/db/enums";
import { requireRole, type Context } from "@/lib/ground/context";
import { textFromHtml } from "@/lib/mail/content/plain-text";
import { encodeId } from "@/lib/ground/ids/ids";
import { campaignUuid, findCampaignRow } from "./campaigns";

/** A campaign with the text of its mail. Times are ISO 8601. */
export interface CampaignText {
  id: string;
  name: string;
  status: CampaignStatus;
  subject: string;
  /** The plain part: as given, else what is read in the HTML. Liquid stays as it is. */
  plain: string;
  fromEmail: string;
  fromName: string;
  replyTo: string | null;
  /** When it went out or will; null for a draft. */
  deliveryAt: string | null;
  createdAt: string;
  updatedAt: string;
}

interface TextRow extends Record<string, unknown> {
  id: string;
  name: string;
  status: CampaignStatus;
  subject: string;
  text: string | null;
  html: string | null;
  from_email: string;
  from_name: string;
  reply_to: string | null;
  delivery_at: string | null;
  created_at: string;
  updated_at: string;
}

/** By the HTML they were made from. Characters of both. */
const texts = new LRUCache<string, string>({
  maxSize: 32_000_000,
  sizeCalculation: (plain, html) => html.length + plain.length + 1,
});

/** Converting the HTML of a page of campaigns takes long enough to remember what came of it. */
async function plainOf({ text, html }: TextRow): Promise<string> {
  if (text !== null || html === null) return text ?? "";
  const remembered = texts.get(html);
  if (remembered !== undefined) return remembered;
  // Other requests get their turn between two conversions.
  await new Promise((resolve) => setImmediate(resolve));
  const plain = textFromHtml(html);
  texts.set(html, plain);
  return plain;
}

/** A stretch of the campaigns, newest first, each with the text of its mail. */
export async function listCampaignTexts(
  ctx: Context,
  { limit, offset }: { limit: number; offset: number },
): Promise<CampaignText[]> {
  requireRole(ctx, "viewer");
  // What was frozen at the start counts before what the campaign, or its template, says now.
  const rows = await ctx.db.execute<TextRow>(sql`
    select c.id, c.name, c.status, c.subject, c.from_email, c.from_name, c.reply_to,
      coalesce(m.text, c.text) as text, coalesce(m.html, c.html, t.body) as html,
      coalesce(c.started_at, c.scheduled_at) as delivery_at, c.created_at, c.updated_at
    from campaigns c
    left join messages m on m.id = c.message_id
    left join templates t on t.id = c.template_id and t.project_id = c.project_id
    where c.project_id = ${ctx.projectId}
    order by c.id desc limit ${limit} offset ${offset}`);
  const campaigns: CampaignText[] = [];
  for (const row of rows) {
    campaigns.push({
      id: encodeId("campaign", row.id),
      name: row.name,
      status: row.status,
      subject: row.subject,
      plain: await plainOf(row),
      fromEmail: row.from_email,
      fromName: row.from_name,
      replyTo: row.reply_to,
      deliveryAt: row.delivery_at && new Date(row.delivery_at).toISOString(),
      createdAt: new Date(row.created_at).toISOString(),
      updatedAt: new Date(row.updated_at).toISOString(),
    });
  }
  return campaigns;
}

/** What a campaign is for, by name; null where there is none, or it was deleted. */
export interface CampaignPurpose {
  list: string | null;
  segment: string | null;
  remindMessage: string | null;
}

/** Throws NOT_FOUND. */
export async function getCampaignPurpose(ctx: Context, id: string): Promise<CampaignPurpose> {
  requireRole(ctx, "viewer");
  const row = await findCampaignRow(ctx.db, ctx, id);
  const [found] = await ctx.db.execute<{
    list: string | null;
    segment: string | null;
    remind_message: string | null;
  }>(sql`
    select l.name as list, s.name as segment, l.remind_message
    from (select 1) as one
    left join lists l on l.id = ${row.listId}::uuid and l.project_id = ${ctx.projectId}
    left join segments s on s.id = ${row.segmentId}::uuid and s.project_id = ${ctx.projectId}`);
  return {
    list: found?.list ?? null,
    segment: found?.segment ?? null,
    remindMessage: found?.remind_message ?? null,
  };
}

/** Who read a campaign's mail, when and from where: people, no machines. */
export interface CampaignReaders {
  clicks: number;
  /** ISO 8601; null: nobody has. */
  lastOpenedAt: string | null;
  lastClickedAt: string | null;
  /** IP addresses of opens and clicks with how many came from each, most first. */
  addresses: { ip: string; count: number }[];
  /** Who opened most often, most first: the membership's id, the contact's where it has none. */
  topOpeners: { id: string; email: string }[];
}

const mostAddresses = 5000;
const topOpeners = 10;

/** Throws NOT_FOUND. */
export async function getCampaignReaders(ctx: Context, id: string): Promise<CampaignReaders> {
  requireRole(ctx, "viewer");
  const uuid = campaignUuid(id);
  const campaign = await findCampaignRow(ctx.db, ctx, id);
  const since = campaign.startedAt?.toISOString() ?? null;
  if (since === null) {
    return {
      clicks: 0,
      lastOpenedAt: null,
      lastClickedAt: null,
      addresses: [],
      topOpeners: [],
    };
  }
  // By person's events alone: what machines did is marked in the event.
  const readings = sql`
    emails e join email_events v on v.email_id = e.id and v.created_at >= ${since}::timestamptz
    where e.campaign_id = ${uuid} and e.project_id = ${ctx.projectId}
      and (e.opened_at is not null or e.clicked_at is not null)
      and v.name in ('opened', 'clicked') and v.data ->> 'machine' is null`;
  const [totals, last, addresses, openers] = await Promise.all([
    ctx.db.execute<{ clicks: number }>(sql`
      select coalesce(sum(clicks), 0)::int as clicks from hourly_figures
      where project_id = ${ctx.projectId} and campaign_id = ${uuid}`),
    ctx.db.execute<{ name: string; at: string }>(sql`
      select v.name, max(v.created_at) as at from ${readings} group by v.name`),
    ctx.db.execute<{ ip: string; count: number }>(sql`
      select v.data ->> 'ip' as ip, count(*)::int as count from ${readings}
        and v.data ->> 'ip' is not null
      group by 1 order by 2 desc, 1 limit ${mostAddresses}`),
    ctx.db.execute<{ contact_id: string; subscriber_id: string | null; email: string }>(sql`
      select c.id as contact_id, c.email, (
        select s.id from subscribers s where s.contact_id = c.id
        order by s.list_id is not distinct from ${campaign.listId}::uuid desc, s.id desc limit 1
      ) as subscriber_id
      from (
        select contact_id, opens, opened_at from emails
        where campaign_id = ${uuid} and project_id = ${ctx.projectId}
          and opens > 0 and contact_id is not null
        order by opens desc, opened_at, id limit ${topOpeners}
      ) as e join contacts c on c.id = e.contact_id
      order by e.opens desc, e.opened_at, c.id`),
  ]);
  const lastOf = (name: string) => {
    const at = last.find((one) => one.name === name)?.at;
    return at === undefined ? null : new Date(at).toISOString();
  };
  return {
    clicks: totals[0]?.clicks ?? 0,
    lastOpenedAt: lastOf("opened"),
    lastClickedAt: lastOf("clicked"),
    addresses: [...addresses],
    topOpeners: openers.map((one) => ({
      id: one.subscriber_id
        ? encodeId("subscriber", one.subscriber_id)
        : encodeId("contact", one.contact_id),
      email: one.email,
    })),
  };
}
