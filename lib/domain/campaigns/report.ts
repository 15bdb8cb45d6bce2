import { and, desc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { LRUCache } from "lru-cache";
import type { CampaignStatus } from "@/db/enums";
import {
  campaigns,
  contacts,
  emailEvents,
  emails,
  hourlyFigures,
  lists,
  messages,
  segments,
  subscribers,
  templates,
} from "@/db/schema";
import { phaseOf } from "@/lib/domain/ab-tests/result";
import type { AbTestPhase } from "@/lib/domain/ab-tests/schema";
import { ownedBy } from "@/lib/ground/by-id";
import { requireRole, type Context } from "@/lib/ground/context";
import { renderText } from "@/lib/mail/content/rendering";
import { encodeId } from "@/lib/ground/ids/ids";
import { campaignUuid, findCampaignRow } from "./read";

/** A campaign with the text of its mail. Times are ISO 8601. */
export interface CampaignText {
  id: string;
  name: string;
  status: CampaignStatus;
  abTestPhase: AbTestPhase | null;
  subject: string;
  /** The plain part: as given, otherwise the text of the HTML. Liquid stays as it is. */
  plain: string;
  fromEmail: string;
  fromName: string;
  replyTo: string | null;
  /** When it went out or will; null for a draft. */
  deliveryAt: string | null;
  createdAt: string;
  updatedAt: string;
}

const e = alias(emails, "e");
const v = alias(emailEvents, "v");

/** Cached by the HTML they were made from. The size counts the characters of both. */
const texts = new LRUCache<string, string>({
  maxSize: 32_000_000,
  sizeCalculation: (plain, html) => html.length + plain.length + 1,
});

interface MailText {
  text: string | null;
  html: string | null;
}

/** Converting the HTML of a page of campaigns takes long enough for the results to be worth caching. */
async function plainOf(ctx: Context, { text, html }: MailText): Promise<string> {
  if (text !== null || html === null) return text ?? "";
  const remembered = texts.get(html);
  if (remembered !== undefined) return remembered;
  // Other requests get their turn between two conversions.
  await new Promise((resolve) => setImmediate(resolve));
  const plain = await renderText(ctx.projectId, html);
  texts.set(html, plain);
  return plain;
}

/** A stretch of the campaigns, newest first, each with the text of its mail. */
export async function listCampaignTexts(
  ctx: Context,
  { limit, offset }: { limit: number; offset: number },
): Promise<CampaignText[]> {
  requireRole(ctx, "viewer");
  // What was frozen at the start takes precedence over what the campaign, or its template, says now.
  const rows = await ctx.db
    .select({
      id: campaigns.id,
      name: campaigns.name,
      status: campaigns.status,
      subject: campaigns.subject,
      fromEmail: campaigns.fromEmail,
      fromName: campaigns.fromName,
      replyTo: campaigns.replyTo,
      text: sql<string | null>`coalesce(${messages.text}, ${campaigns.text})`,
      html: sql<string | null>`coalesce(${messages.html}, ${campaigns.html}, ${templates.body})`,
      variantMessageIds: campaigns.variantMessageIds,
      winner: campaigns.winner,
      winnerDueAt: campaigns.winnerDueAt,
      startedAt: campaigns.startedAt,
      scheduledAt: campaigns.scheduledAt,
      createdAt: campaigns.createdAt,
      updatedAt: campaigns.updatedAt,
    })
    .from(campaigns)
    .leftJoin(messages, eq(messages.id, campaigns.messageId))
    .leftJoin(
      templates,
      and(eq(templates.id, campaigns.templateId), eq(templates.projectId, campaigns.projectId)),
    )
    .where(eq(campaigns.projectId, ctx.projectId))
    .orderBy(desc(campaigns.id))
    .limit(limit)
    .offset(offset);
  const withText: CampaignText[] = [];
  for (const row of rows) {
    const {
      id,
      text: _text,
      html: _html,
      variantMessageIds: _variants,
      winner: _winner,
      winnerDueAt: _winnerDueAt,
      startedAt,
      scheduledAt,
      createdAt,
      updatedAt,
      ...rest
    } = row;
    withText.push({
      ...rest,
      abTestPhase: phaseOf(row),
      id: encodeId("campaign", id),
      plain: await plainOf(ctx, row),
      deliveryAt: (startedAt ?? scheduledAt)?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    });
  }
  return withText;
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
  const { listId, segmentId } = await findCampaignRow(ctx.db, ctx, id);
  const [list] =
    listId === null
      ? []
      : await ctx.db
          .select({ name: lists.name, remindMessage: lists.remindMessage })
          .from(lists)
          .where(and(eq(lists.projectId, ctx.projectId), eq(lists.id, listId)));
  const [segment] =
    segmentId === null
      ? []
      : await ctx.db
          .select({ name: segments.name })
          .from(segments)
          .where(and(eq(segments.projectId, ctx.projectId), eq(segments.id, segmentId)));
  return {
    list: list?.name ?? null,
    segment: segment?.name ?? null,
    remindMessage: list?.remindMessage ?? null,
  };
}

/** Who read a campaign's mail, when and from where: people only, no machines. */
export interface CampaignReaders {
  clicks: number;
  /** ISO 8601; null when nobody has. */
  lastOpenedAt: string | null;
  lastClickedAt: string | null;
  /** IP addresses of opens and clicks with how many came from each, the most frequent first. */
  addresses: { ip: string; count: number }[];
  /**
   * The people who opened most often, in that order: the membership's id, or the contact's if there is no
   * membership.
   */
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
  // Only events caused by people: machines are marked as such in the event.
  const readings = sql`
    ${emails} e join ${emailEvents} v
      on ${v.emailId} = ${e.id} and ${v.createdAt} >= ${since}::timestamptz
    where ${e.campaignId} = ${uuid} and ${ownedBy(e.projectId, ctx.projectId)}
      and (${e.openedAt} is not null or ${e.clickedAt} is not null)
      and ${v.name} in ('opened', 'clicked') and ${v.data} ->> 'machine' is null`;
  const [totals, last, addresses, openers] = await Promise.all([
    ctx.db
      .select({ clicks: sql<number>`coalesce(sum(${hourlyFigures.clicks}), 0)::int` })
      .from(hourlyFigures)
      .where(and(eq(hourlyFigures.projectId, ctx.projectId), eq(hourlyFigures.campaignId, uuid))),
    ctx.db.execute<{ name: string; at: string }>(sql`
      select ${v.name}, max(${v.createdAt}) as at from ${readings} group by ${v.name}`),
    ctx.db.execute<{ ip: string; count: number }>(sql`
      select ${v.data} ->> 'ip' as ip, count(*)::int as count from ${readings}
        and ${v.data} ->> 'ip' is not null
      group by 1 order by 2 desc, 1 limit ${mostAddresses}`),
    ctx.db.execute<{ contact_id: string; subscriber_id: string | null; email: string }>(sql`
      select ${contacts.id} as contact_id, ${contacts.email}, (
        select ${subscribers.id} from ${subscribers}
        where ${subscribers.contactId} = ${contacts.id}
        order by ${subscribers.listId} is not distinct from ${campaign.listId}::uuid desc,
          ${subscribers.id} desc limit 1
      ) as subscriber_id
      from (
        select ${e.contactId}, ${e.opens}, ${e.openedAt} from ${emails} e
        where ${e.campaignId} = ${uuid} and ${ownedBy(e.projectId, ctx.projectId)}
          and ${e.opens} > 0 and ${e.contactId} is not null
        order by ${e.opens} desc, ${e.openedAt}, ${e.id} limit ${topOpeners}
      ) as e join ${contacts} on ${contacts.id} = ${e.contactId}
      order by ${e.opens} desc, ${e.openedAt}, ${contacts.id}`),
  ]);
  const lastOf = (name: string) => {
    const at = last.find((reading) => reading.name === name)?.at;
    return at === undefined ? null : new Date(at).toISOString();
  };
  return {
    clicks: totals[0]?.clicks ?? 0,
    lastOpenedAt: lastOf("opened"),
    lastClickedAt: lastOf("clicked"),
    addresses: [...addresses],
    topOpeners: openers.map((opener) => ({
      id: opener.subscriber_id
        ? encodeId("subscriber", opener.subscriber_id)
        : encodeId("contact", opener.contact_id),
      email: opener.email,
    })),
  };
}
