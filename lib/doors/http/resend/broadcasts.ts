import { z } from "zod";
import type { CampaignStatus } from "@/db/enums";
import { campaignSend } from "@/lib/domain/campaigns/action-schema";
import { createCampaign, deleteCampaign, updateCampaign } from "@/lib/domain/campaigns/campaigns";
import { getCampaign, listCampaigns } from "@/lib/domain/campaigns/read";
import {
  campaignInput,
  campaignUpdate,
  type Campaign,
  type CampaignSummary,
} from "@/lib/domain/campaigns/schema";
import { sendCampaign } from "@/lib/domain/campaigns/transitions";
import type { Context } from "@/lib/ground/context";
import { invalid } from "@/lib/ground/errors";
import { decodeId } from "@/lib/ground/ids/ids";
import { validate } from "@/lib/ground/validate";
import { contentBodyLimit } from "@/lib/doors/http/surface/body";
import { idempotencyOf, replayable } from "@/lib/doors/http/surface/idempotent";
import { operation } from "@/lib/doors/http/surface/operation";
import { ok, removed } from "./answers";
import { listOf, listQuery, pageAfter, toList } from "./lists";
import { inLiquid } from "./placeholders";
import { addresses, content, line, oneReplyTo } from "./send-body";
import { inTerms, type Terms } from "./terms";

const shared = { tag: "Broadcasts", rate: "api", successStatuses: [200] } as const;
const params = z.object({ id: z.string() });
const touched = z.object({ id: z.string() });
const nullable = z.string().nullable();
const listed = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  created_at: z.string(),
  audience_id: nullable,
  segment_id: nullable,
  scheduled_at: nullable,
  sent_at: nullable,
});
const shown = listed.extend({
  object: z.literal("broadcast"),
  from: nullable,
  subject: nullable,
  preview_text: nullable,
  topic_id: nullable,
  html: nullable,
  text: nullable,
  reply_to: z.array(z.string()).nullable(),
});

const body = z.strictObject({
  name: line.optional(),
  segment_id: line.optional(),
  audience_id: line.optional(),
  from: line.optional(),
  subject: line.optional(),
  preview_text: line.optional(),
  html: content.optional(),
  text: content.optional(),
  reply_to: addresses.optional(),
  topic_id: line.nullable().optional(),
});
type Body = z.infer<typeof body>;

const terms: Terms = {
  body: "html",
  previewText: "preview_text",
  replyTo: "reply_to",
  segmentId: "segment_id",
  listId: "segment_id",
  topicId: "topic_id",
  scheduledAt: "scheduled_at",
};

const statuses = {
  DRAFT: "draft",
  SCHEDULED: "queued",
  SENDING: "queued",
  PAUSED: "queued",
  SENT: "sent",
  CANCELLED: "canceled",
  FAILED: "failed",
} as const satisfies Record<CampaignStatus, string>;

/** Whom it goes to: a segment or, where people are put on by hand, a list. Resend had another name for it. */
function audienceOf({ segment_id, audience_id }: Body) {
  if (segment_id !== undefined && audience_id !== undefined && segment_id !== audience_id) {
    throw invalid("audience_id", "and segment_id mean the same and have different values");
  }
  const id = segment_id ?? audience_id;
  if (id === undefined) return {};
  return decodeId("list", id) ? { listId: id } : { segmentId: id };
}

function toCampaign(given: Body) {
  const liquid = (field: "subject" | "preview_text" | "html" | "text") =>
    given[field] === undefined ? undefined : inLiquid(given[field], field);
  return {
    ...{ name: given.name, from: given.from, topicId: given.topic_id, ...audienceOf(given) },
    ...{ subject: liquid("subject"), previewText: liquid("preview_text") },
    ...{ body: liquid("html"), text: liquid("text"), replyTo: oneReplyTo(given.reply_to, "") },
  };
}

function toListed(campaign: CampaignSummary | Campaign): z.infer<typeof listed> {
  const audience = campaign.segmentId ?? campaign.listId;
  return {
    ...{ id: campaign.id, name: campaign.name, status: statuses[campaign.status] },
    ...{ audience_id: audience, segment_id: audience, created_at: campaign.createdAt },
    ...{ scheduled_at: campaign.scheduledAt, sent_at: campaign.startedAt },
  };
}

function toShown(campaign: Campaign) {
  const { from, fromName, replyTo } = campaign;
  return {
    ...toListed(campaign),
    from: from && fromName ? `${fromName} <${from}>` : from || null,
    ...{ subject: campaign.subject || null, preview_text: campaign.previewText || null },
    ...{ topic_id: campaign.topicId, html: campaign.body, text: campaign.text },
    reply_to: replyTo === null ? null : [replyTo],
  };
}

/** Sends what was just created; a refusal leaves no draft behind that a second try would send twice. */
async function sendCreated(ctx: Context, id: string, scheduledAt: string | undefined) {
  try {
    await sendCampaign(ctx, id, validate(campaignSend, { scheduledAt }));
  } catch (error) {
    // If it is on its way after all, it stays.
    await deleteCampaign(ctx, id).catch(() => {});
    throw error;
  }
}

export const broadcastOperations = [
  operation({
    ...shared,
    method: "post",
    path: "/broadcasts",
    name: "createBroadcast",
    summary: "Create a campaign, and send it if asked to",
    access: "editor",
    body: body.extend({ send: z.boolean().optional(), scheduled_at: line.optional() }),
    bodyLimit: contentBodyLimit,
    answer: touched,
    successStatuses: [201],
    run: (ctx, { body: { send, scheduled_at, ...given } }) =>
      inTerms(terms, async () => {
        // Without one it would go to everybody, which nobody asked for.
        if ((given.segment_id ?? given.audience_id) === undefined) {
          throw invalid("segment_id", "is required");
        }
        if (scheduled_at !== undefined && !send) {
          throw invalid("scheduled_at", "only makes sense with send");
        }
        const input = validate(campaignInput, {
          ...toCampaign(given),
          name: given.name ?? given.subject,
        });
        const { id } = await createCampaign(ctx, input);
        if (send) await sendCreated(ctx, id, scheduled_at);
        return { status: 201, body: { id } };
      }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/broadcasts/{id}/send",
    name: "sendBroadcast",
    summary: "Send a campaign now or at a time",
    access: "editor",
    params,
    body: z.strictObject({ scheduled_at: line.optional() }),
    bodyOptional: true,
    answer: touched,
    run: (ctx, input) =>
      inTerms(terms, async () => {
        const { id } = input.params;
        const { once } = idempotencyOf(`POST /resend/broadcasts/${id}/send`, input);
        const send = validate(campaignSend, { scheduledAt: input.body.scheduled_at });
        const { replayed } = await sendCampaign(ctx, id, send, once);
        return replayable({ result: { id }, replayed });
      }),
  }),
  operation({
    ...shared,
    method: "get",
    path: "/broadcasts",
    name: "listBroadcasts",
    summary: "List campaigns",
    access: "viewer",
    query: listQuery,
    answer: listOf(listed),
    run: async (ctx, { query }) => {
      const page = await listCampaigns(ctx, pageAfter("campaign", query));
      return { status: 200, body: toList(page, toListed) };
    },
  }),
  operation({
    ...shared,
    method: "get",
    path: "/broadcasts/{id}",
    name: "getBroadcast",
    summary: "Get a campaign",
    access: "viewer",
    params,
    answer: shown,
    run: async (ctx, { params: { id } }) => ok("broadcast", toShown(await getCampaign(ctx, id))),
  }),
  operation({
    ...shared,
    method: "patch",
    path: "/broadcasts/{id}",
    name: "updateBroadcast",
    summary: "Change a campaign",
    access: "editor",
    params,
    body,
    bodyLimit: contentBodyLimit,
    answer: touched,
    run: (ctx, { params: { id }, body: given }) =>
      inTerms(terms, async () => {
        await updateCampaign(ctx, id, validate(campaignUpdate, toCampaign(given)));
        return { status: 200, body: { id } };
      }),
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/broadcasts/{id}",
    name: "deleteBroadcast",
    summary: "Delete a campaign that was not sent",
    access: "editor",
    params,
    answer: touched.extend({ object: z.literal("broadcast"), deleted: z.literal(true) }),
    run: async (ctx, { params: { id } }) => {
      await deleteCampaign(ctx, id);
      return removed("broadcast", id);
    },
  }),
] as const;
