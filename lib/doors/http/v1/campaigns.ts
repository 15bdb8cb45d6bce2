import { z } from "zod";
import { estimateAudience } from "@/lib/domain/campaigns/audience";
import {
  createCampaign,
  deleteCampaign,
  duplicateCampaign,
  getCampaign,
  getCampaignActivity,
  getCampaignProgress,
  listCampaigns,
  updateCampaign,
} from "@/lib/domain/campaigns/campaigns";
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  scheduleCampaign,
  sendCampaign,
  unscheduleCampaign,
} from "@/lib/domain/campaigns/transitions";
import {
  audience,
  audienceInput,
  campaign,
  campaignActivity,
  campaignInput,
  campaignProgress,
  campaignQuery,
  campaignSchedule,
  campaignSend,
  campaignSummary,
  campaignTest,
  campaignUpdate,
  type Campaign,
} from "@/lib/domain/campaigns/schema";
import { testCampaign } from "@/lib/domain/campaigns/test-mail";
import type { Context } from "@/lib/ground/context";
import { readIdempotencyKey } from "@/lib/domain/emails/idempotency";
import { sendAnswer } from "@/lib/domain/emails/schema";
import { pageSchema } from "@/lib/ground/paging/schema";
import { contentBodyLimit } from "@/lib/doors/http/surface/body";
import { operation } from "@/lib/doors/http/surface/operation";
import {
  campaignExample,
  campaignExamples,
  campaignSummaryExample,
  draftCampaignExample,
} from "./campaign-examples";
import { emailExample } from "./examples";
import { idParam } from "./parameters";

const tag = "Campaigns";
const params = z.object({ id: idParam("campaign", campaignExample.id) });

const update = {
  summary: "Change a campaign",
  tag,
  access: "editor",
  rate: "api",
  params,
  body: campaignUpdate,
  bodyLimit: contentBodyLimit,
  bodyExamples: campaignExamples.update,
  answer: campaign,
  answerExample: draftCampaignExample,
  successStatuses: [200],
  errors: ["NOT_FOUND", "CONFLICT", "DOMAIN_NOT_VERIFIED"],
} as const;

/** What transitions share; each answers with the campaign as it is afterwards. */
const transition = {
  tag,
  access: "editor",
  rate: "api",
  params,
  answer: campaign,
  successStatuses: [200],
  errors: ["NOT_FOUND", "CONFLICT"],
} as const;

const runTransition =
  (work: (ctx: Context, id: string) => Promise<Campaign>) =>
  async (ctx: Context, { params: { id } }: { params: { id: string } }) => ({
    status: 200 as const,
    body: await work(ctx, id),
  });

export const campaignOperations = [
  operation({
    method: "get",
    path: "/v1/campaigns",
    name: "listCampaigns",
    summary: "List campaigns",
    description: "Newest first, with statistics, without content.",
    tag,
    access: "viewer",
    rate: "api",
    query: campaignQuery,
    answer: pageSchema(campaignSummary).meta({ id: "CampaignPage" }),
    answerExample: { data: [campaignSummaryExample] },
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await listCampaigns(ctx, query) }),
  }),
  operation({
    method: "post",
    path: "/v1/campaigns",
    name: "createCampaign",
    summary: "Create a campaign",
    description:
      "A draft. Without `segmentId` and `listId` it is for everybody who is subscribed; who that is, is decided when it is sent.",
    tag,
    access: "editor",
    rate: "api",
    body: campaignInput,
    bodyLimit: contentBodyLimit,
    bodyExamples: campaignExamples.create,
    answer: campaign,
    answerExample: draftCampaignExample,
    successStatuses: [201],
    errors: ["NOT_FOUND"],
    run: async (ctx, { body }) => ({ status: 201, body: await createCampaign(ctx, body) }),
  }),
  operation({
    method: "post",
    path: "/v1/campaigns/audience",
    name: "estimateAudience",
    summary: "Count an audience",
    tag,
    access: "viewer",
    rate: "api",
    sessionOnly: true,
    body: audienceInput,
    answer: audience,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { body }) => ({ status: 200, body: await estimateAudience(ctx, body) }),
  }),
  operation({
    method: "get",
    path: "/v1/campaigns/{id}",
    name: "getCampaign",
    summary: "Get a campaign",
    description: "With its content and its current statistics.",
    tag,
    access: "viewer",
    rate: "api",
    params,
    answer: campaign,
    answerExample: campaignExample,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await getCampaign(ctx, id) }),
  }),
  operation({
    ...update,
    method: "patch",
    path: "/v1/campaigns/{id}",
    name: "updateCampaign",
    description:
      "While it is a draft or scheduled. One that is scheduled stays so, and has to stay complete.",
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await updateCampaign(ctx, id, body),
    }),
  }),
  operation({
    ...update,
    method: "put",
    path: "/v1/campaigns/{id}",
    name: "putCampaign",
    description: "The same as PATCH: only the given fields change.",
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await updateCampaign(ctx, id, body),
    }),
  }),
  operation({
    method: "delete",
    path: "/v1/campaigns/{id}",
    name: "deleteCampaign",
    summary: "Delete a campaign",
    description: "A draft or a cancelled one. Mail that went out stays in the log.",
    tag,
    access: "editor",
    rate: "api",
    params,
    successStatuses: [204],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id } }) => {
      await deleteCampaign(ctx, id);
      return { status: 204 };
    },
  }),
  operation({
    ...transition,
    method: "post",
    path: "/v1/campaigns/{id}/send",
    name: "sendCampaign",
    summary: "Send a campaign",
    description:
      "At once, or at `scheduledAt`. Its sender's domain must be verified. Who gets it is decided when sending starts.",
    idempotent: true,
    body: campaignSend,
    bodyOptional: true,
    bodyExamples: campaignExamples.send,
    answerExample: { ...draftCampaignExample, status: "SENDING" },
    errors: ["NOT_FOUND", "CONFLICT", "DOMAIN_NOT_VERIFIED"],
    run: async (ctx, input) => {
      const key = readIdempotencyKey(input.headers);
      const route = `POST /v1/campaigns/${input.params.id}/send`;
      const once = key === null ? undefined : { route, key, body: input.rawBody };
      const { result, replayed } = await sendCampaign(ctx, input.params.id, input.body, once);
      return {
        status: 200,
        body: result,
        ...(replayed ? { headers: { "idempotent-replayed": "true" } } : {}),
      };
    },
  }),
  operation({
    ...transition,
    method: "post",
    path: "/v1/campaigns/{id}/schedule",
    name: "scheduleCampaign",
    summary: "Schedule a campaign",
    description: "A draft starts by itself at that time.",
    body: campaignSchedule,
    bodyExamples: campaignExamples.schedule,
    answerExample: { ...draftCampaignExample, status: "SCHEDULED" },
    errors: ["NOT_FOUND", "CONFLICT", "DOMAIN_NOT_VERIFIED"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await scheduleCampaign(ctx, id, body),
    }),
  }),
  operation({
    ...transition,
    method: "post",
    path: "/v1/campaigns/{id}/unschedule",
    name: "unscheduleCampaign",
    summary: "Unschedule a campaign",
    description: "It becomes a draft again.",
    answerExample: draftCampaignExample,
    run: runTransition(unscheduleCampaign),
  }),
  operation({
    ...transition,
    method: "post",
    path: "/v1/campaigns/{id}/pause",
    name: "pauseCampaign",
    summary: "Pause a campaign",
    description: "Nothing more goes out, except for what is being handed over at this moment.",
    answerExample: { ...campaignExample, status: "PAUSED" },
    run: runTransition(pauseCampaign),
  }),
  operation({
    ...transition,
    method: "post",
    path: "/v1/campaigns/{id}/resume",
    name: "resumeCampaign",
    summary: "Resume a campaign",
    description: "It continues with the people who have not received it yet.",
    answerExample: { ...campaignExample, status: "SENDING" },
    run: runTransition(resumeCampaign),
  }),
  operation({
    ...transition,
    method: "post",
    path: "/v1/campaigns/{id}/cancel",
    name: "cancelCampaign",
    summary: "Cancel a campaign",
    description: "Final: people who have not received it yet never will.",
    answerExample: { ...campaignExample, status: "CANCELLED" },
    run: runTransition(cancelCampaign),
  }),
  operation({
    ...transition,
    method: "post",
    path: "/v1/campaigns/{id}/duplicate",
    name: "duplicateCampaign",
    summary: "Duplicate a campaign",
    description: "A new draft with the same content and audience.",
    answerExample: draftCampaignExample,
    successStatuses: [201],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({
      status: 201,
      body: await duplicateCampaign(ctx, id),
    }),
  }),
  operation({
    method: "post",
    path: "/v1/campaigns/{id}/test",
    name: "testCampaign",
    summary: "Send a test",
    description:
      "The campaign as it is now, to up to five people, its subject marked with [Test]. It counts in no figure of the campaign.",
    tag,
    access: "editor",
    rate: "send",
    params,
    body: campaignTest,
    bodyExamples: campaignExamples.test,
    answer: sendAnswer,
    answerExample: {
      success: true,
      data: {
        emails: [{ contact: emailExample.contact, email: emailExample.id }],
        timestamp: "2026-11-21T09:30:00.000Z",
      },
    },
    successStatuses: [200],
    errors: ["NOT_FOUND", "DOMAIN_NOT_VERIFIED", "PAYMENT_REQUIRED"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await testCampaign(ctx, id, body),
    }),
  }),
  operation({
    method: "get",
    path: "/v1/campaigns/{id}/progress",
    name: "getCampaignProgress",
    summary: "A campaign's progress",
    tag,
    access: "viewer",
    rate: "api",
    sessionOnly: true,
    params,
    answer: campaignProgress,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      body: await getCampaignProgress(ctx, id),
    }),
  }),
  operation({
    method: "get",
    path: "/v1/campaigns/{id}/activity",
    name: "getCampaignActivity",
    summary: "A campaign's statistics by hour",
    tag,
    access: "viewer",
    rate: "api",
    sessionOnly: true,
    params,
    answer: campaignActivity,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      body: await getCampaignActivity(ctx, id),
    }),
  }),
] as const;
