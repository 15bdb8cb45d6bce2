import { z } from "zod";
import type { CampaignStatus } from "@/db/enums";
import type { CampaignText } from "@/lib/domain/campaigns/campaign-texts";
import type { CampaignPurpose, CampaignReaders } from "@/lib/domain/campaigns/report";
import type { CampaignProgress } from "@/lib/domain/campaigns/schema";
import { placeOf } from "@/lib/ground/geo/places";
import { dateTime, microseconds, timestamp } from "./values";

/** What this surface calls each status; a missing one does not compile. */
const statusNames = {
  DRAFT: "new",
  SCHEDULED: "scheduled",
  SENDING: "sending",
  PAUSED: "paused",
  SENT: "done",
  CANCELLED: "cancelled",
  FAILED: "error",
} as const satisfies Record<CampaignStatus, string>;

/** And a campaign being sent whose A/B test waits for its winner. */
const awaitingWinner = "awaiting_winner";

const statusOf = ({ status, abTestPhase }: Pick<CampaignProgress, "status" | "abTestPhase">) =>
  status === "SENDING" && abTestPhase === awaitingWinner ? awaitingWinner : statusNames[status];

const status = z.enum([...Object.values(statusNames), awaitingWinner]);
const count = z.int();
const rate = z.number().min(0).max(1);
const arrived = "delivered; of accepted and not bounced where no reports confirm deliveries";

export const listedCampaign = z
  .object({
    uid: z.string(),
    name: z.string(),
    type: z.literal("regular"),
    subject: z.string(),
    plain: z.string().meta({ description: "Its plain-text content." }),
    from_email: z.string(),
    from_name: z.string(),
    reply_to: z.string().meta({ description: "The sender's address if no other is set." }),
    status,
    delivery_at: z
      .string()
      .nullable()
      .meta({ description: "UTC; null for a draft.", example: "2026-11-21 07:00:00" }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "ListedCampaign" });

export const campaignDetail = z
  .object({
    campaign: z.object({
      uid: z.string(),
      name: z.string(),
      list: z.string().nullable().meta({ description: "The list's name; null: not for a list." }),
      segment: z.string().nullable().meta({ description: "The segment's name." }),
      default_subject: z.string(),
      from_email: z.string(),
      from_name: z.string(),
      remind_message: z.string().nullable(),
      status,
      created_at: timestamp,
      updated_at: timestamp,
    }),
    statistics: z.object({
      subscriber_count: count.meta({ description: "Who it goes to; decided when sending starts." }),
      uniq_open_rate: rate.meta({ description: `People who opened, of ${arrived}.` }),
      delivered_rate: rate.meta({
        description:
          "Of those handed over; where no reports confirm deliveries, those that were accepted and did not bounce.",
      }),
      unique_open_count: count.meta({ description: "People who opened." }),
      open_rate: rate.meta({ description: "The same as `uniq_open_rate`." }),
      uniq_open_count: count.meta({ description: "The same as `unique_open_count`." }),
      last_open: timestamp.nullable(),
      click_rate: rate.meta({ description: `People who clicked, of ${arrived}.` }),
      click_count: count.meta({ description: "Every click by a person." }),
      abuse_feedback_count: count,
      last_click: timestamp.nullable(),
      bounce_count: count,
      unsubscribe_count: count,
      links: z.array(z.string()).meta({ description: "Most clicked first." }),
      top_locations: z
        .array(z.string())
        .meta({ description: "Where opens and clicks came from, most first, ten at most." }),
      top_open_subscribers: z
        .array(z.object({ uid: z.string(), email: z.string() }))
        .meta({ description: "Who opened most often, ten at most." }),
    }),
  })
  .meta({ id: "CampaignDetail" });

export function toListedCampaign(one: CampaignText): z.input<typeof listedCampaign> {
  return {
    uid: one.id,
    name: one.name,
    type: "regular",
    subject: one.subject,
    plain: one.plain,
    from_email: one.fromEmail,
    from_name: one.fromName,
    reply_to: one.replyTo ?? one.fromEmail,
    status: statusOf(one),
    delivery_at: one.deliveryAt && dateTime(one.deliveryAt),
    created_at: microseconds(one.createdAt),
    updated_at: microseconds(one.updatedAt),
  };
}

const mostPlaces = 10;

/** Places, those with the most opens and clicks first. */
function topPlaces(addresses: CampaignReaders["addresses"]): string[] {
  const counts = new Map<string, number>();
  for (const { ip, count: many } of addresses) {
    const place = placeOf(ip);
    if (place) counts.set(place, (counts.get(place) ?? 0) + many);
  }
  return [...counts]
    .sort(([left, more], [right, less]) => less - more || left.localeCompare(right))
    .slice(0, mostPlaces)
    .map(([place]) => place);
}

export function toCampaignDetail(
  campaign: CampaignProgress,
  purpose: CampaignPurpose,
  readers: CampaignReaders,
): z.input<typeof campaignDetail> {
  const { stats } = campaign;
  return {
    campaign: {
      uid: campaign.id,
      name: campaign.name,
      list: purpose.list,
      segment: purpose.segment,
      default_subject: campaign.subject,
      from_email: campaign.from,
      from_name: campaign.fromName,
      remind_message: purpose.remindMessage,
      status: statusOf(campaign),
      created_at: microseconds(campaign.createdAt),
      updated_at: microseconds(campaign.updatedAt),
    },
    statistics: {
      subscriber_count: stats.recipients,
      uniq_open_rate: stats.openRate,
      delivered_rate: stats.deliveryRate,
      unique_open_count: stats.opened,
      open_rate: stats.openRate,
      uniq_open_count: stats.opened,
      last_open: readers.lastOpenedAt && microseconds(readers.lastOpenedAt),
      click_rate: stats.clickRate,
      click_count: readers.clicks,
      abuse_feedback_count: stats.complained,
      last_click: readers.lastClickedAt && microseconds(readers.lastClickedAt),
      bounce_count: stats.bounced,
      unsubscribe_count: stats.unsubscribed,
      links: stats.links.map(({ url }) => url),
      top_locations: topPlaces(readers.addresses),
      top_open_subscribers: readers.topOpeners.map(({ id, email }) => ({ uid: id, email })),
    },
  };
}
