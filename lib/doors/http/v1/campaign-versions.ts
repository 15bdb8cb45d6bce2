import { z } from "zod";
import { campaign } from "@/lib/domain/campaigns/schema";
import {
  campaignRestore,
  campaignVersion,
  campaignVersionList,
} from "@/lib/domain/campaigns/version-schema";
import {
  getCampaignVersion,
  listCampaignVersions,
  restoreCampaignVersion,
} from "@/lib/domain/campaigns/versions";
import { operation } from "@/lib/doors/http/surface/operation";
import { campaignExample } from "./campaign-examples";
import { idParam } from "./parameters";

const shared = {
  tag: "Campaigns",
  rate: "api",
  sessionOnly: true,
  successStatuses: [200],
} as const;
const params = z.object({ id: idParam("campaign", campaignExample.id) });
const one = params.extend({ version: z.string() });

/** What a campaign said before. */
export const campaignVersionOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/campaigns/{id}/versions",
    name: "listCampaignVersions",
    summary: "List a campaign's versions",
    access: "viewer",
    params,
    answer: campaignVersionList,
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      body: { data: await listCampaignVersions(ctx, id) },
    }),
  }),
  operation({
    ...shared,
    method: "get",
    path: "/v1/campaigns/{id}/versions/{version}",
    name: "getCampaignVersion",
    summary: "Get a campaign's version",
    access: "viewer",
    params: one,
    answer: campaignVersion,
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id, version } }) => ({
      status: 200,
      body: await getCampaignVersion(ctx, id, version),
    }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/campaigns/{id}/versions/{version}/restore",
    name: "restoreCampaignVersion",
    summary: "Restore a campaign's version",
    access: "editor",
    params: one,
    body: campaignRestore,
    answer: campaign,
    errors: ["NOT_FOUND", "CONFLICT", "DOMAIN_NOT_VERIFIED"],
    run: async (ctx, { params: { id, version }, body }) => ({
      status: 200,
      body: await restoreCampaignVersion(ctx, id, version, body.basedOn),
    }),
  }),
] as const;
