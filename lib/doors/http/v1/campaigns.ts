import { z } from "zod";
import { estimateAudience } from "@/lib/domain/campaigns/audience";
import { createCampaign, deleteCampaign, updateCampaign } from "@/lib/domain/campaigns/campaigns";
import { duplicateCampaign, followUpCampaign } from "@/lib/domain/campaigns/copies";
import { getCampaign, getCampaignProgress, listCampaigns } from "@/lib/domain/campaigns/read";
import { audience, audienceInput } from "@/lib/domain/campaigns/audience-schema";
import { campaignFollowUp, campaignTest } from "@/lib/domain/campaigns/action-schema";
import {
  campaign,
  campaignInput,
  campaignProgress,
  campaignListQuery,
  campaignQuery,
  campaignSummary,
  campaignUpdate,
} from "@/lib/domain/campaigns/schema";
import { testCampaign } from "@/lib/domain/campaigns/test-mail";
import { sendAnswer } from "@/lib/domain/emails/send-schema";
import { pageSchema } from "@/lib/ground/paging/schema";
import { contentBodyLimit } from "@/lib/doors/http/surface/body";
import { operation } from "@/lib/doors/http/surface/operation";
import {
  campaignExample,
  campaignExamples,
  campaignSummaryExample,
  draftCampaignExample,
} from "./campaign-examples";
import { campaignPreflight } from "./campaign-preflight";
import { campaignFigureOperations } from "./campaign-figures";
import { campaignRecipientOperations } from "./campaign-recipients";
import { campaignTransitions } from "./campaign-transitions";
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

export const campaignOperations = [
  operation({
    method: "get",
    path: "/v1/campaigns",
    name: "listCampaigns",
    summary: "List campaigns",
    description: "Newest first unless sorted otherwise, with statistics, without content.",
    tag,
    access: "viewer",
    rate: "api",
    query: campaignQuery,
    sessionQuery: campaignListQuery,
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
      "A draft. Without `segmentId` and `listId` it goes to everybody who is subscribed when it is sent.",
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
    reads: "replica",
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
      "While it is a draft or scheduled. A scheduled campaign stays scheduled, and must stay complete.",
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
  campaignPreflight,
  ...campaignTransitions,
  ...campaignRecipientOperations,
  ...campaignFigureOperations,
  operation({
    method: "post",
    path: "/v1/campaigns/{id}/duplicate",
    name: "duplicateCampaign",
    summary: "Duplicate a campaign",
    description: "A new draft with the same content and audience.",
    tag,
    access: "editor",
    rate: "api",
    params,
    answer: campaign,
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
    path: "/v1/campaigns/{id}/follow-up",
    name: "followUpCampaign",
    summary: "Draft a follow-up",
    description:
      "A new draft with the same content for those who did, or did not do, something with the campaign. Their segment is made, or found where it was made before; after an A/B test the draft says what the winner said.",
    tag,
    access: "editor",
    rate: "api",
    params,
    body: campaignFollowUp,
    bodyExamples: {
      unopened: { summary: "Those who did not open", value: { audience: "not_opened" } },
    },
    answer: campaign,
    answerExample: draftCampaignExample,
    successStatuses: [201],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 201,
      body: await followUpCampaign(ctx, id, body),
    }),
  }),
  operation({
    method: "post",
    path: "/v1/campaigns/{id}/test",
    name: "testCampaign",
    summary: "Send a test",
    description:
      "Sends the campaign as it is now, with each variant of its A/B test, to up to five people, with [Test] or [Test A] in front of the subject. It does not count in the campaign's figures.",
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
] as const;
