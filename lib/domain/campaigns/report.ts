import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import {
  contacts,
  emailEvents,
  emails,
  hourlyFigures,
  lists,
  segments,
  subscribers,
} from "@/db/schema";
import { ownedBy } from "@/lib/ground/by-id";
import { requireRole, type Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { campaignUuid, findCampaignRow } from "./read";

const e = alias(emails, "e");
const v = alias(emailEvents, "v");

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
