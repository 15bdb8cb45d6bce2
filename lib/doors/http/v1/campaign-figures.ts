import { z } from "zod";
import { getCampaignBreakdown } from "@/lib/domain/campaigns/breakdown";
import { campaignBreakdown } from "@/lib/domain/campaigns/breakdown-schema";
import { compareCampaigns } from "@/lib/domain/campaigns/compare";
import { comparison, comparisonQuery } from "@/lib/domain/campaigns/compare-schema";
import { getCampaignActivity } from "@/lib/domain/campaigns/read";
import { getCampaignSpread } from "@/lib/domain/campaigns/spread";
import { campaignSpread } from "@/lib/domain/campaigns/spread-schema";
import { campaignActivity } from "@/lib/domain/campaigns/stats-schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { campaignExample } from "./campaign-examples";
import { idParam } from "./parameters";

const tag = "Campaigns";
const params = z.object({ id: idParam("campaign", campaignExample.id) });

/** Figures of one campaign, for its page. */
export const campaignFigureOperations = [
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
  operation({
    method: "get",
    path: "/v1/campaigns/{id}/breakdown",
    name: "getCampaignBreakdown",
    summary: "A campaign's figures by provider, device, country and hour",
    tag,
    access: "viewer",
    rate: "api",
    sessionOnly: true,
    params,
    answer: campaignBreakdown,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      body: await getCampaignBreakdown(ctx, id),
    }),
  }),
  operation({
    method: "get",
    path: "/v1/campaigns/{id}/spread",
    name: "getCampaignSpread",
    summary: "Over which hours a campaign is spread",
    tag,
    access: "viewer",
    rate: "api",
    sessionOnly: true,
    params,
    answer: campaignSpread,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      body: await getCampaignSpread(ctx, id),
    }),
  }),
  operation({
    method: "get",
    path: "/v1/campaigns/{id}/comparison",
    name: "compareCampaigns",
    summary: "Compare campaigns",
    tag,
    access: "viewer",
    rate: "api",
    sessionOnly: true,
    params,
    query: comparisonQuery,
    answer: comparison,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id }, query }) => ({
      status: 200,
      body: await compareCampaigns(ctx, id, query.with),
    }),
  }),
] as const;
