import { z } from "zod";
import {
  createReportLink,
  deleteReportLink,
  listReportLinks,
} from "@/lib/domain/campaign-reports/links";
import { reportLink, reportLinkInput, reportLinks } from "@/lib/domain/campaign-reports/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { campaignExample } from "./campaign-examples";
import { idParam } from "./parameters";

const at = "2026-11-21T09:30:00.000Z";
const example = {
  id: "rpl_01kat4rz8q3t7w1z5b9d3g7k1n",
  name: "For the board",
  url: "https://mail.example.com/report/AZrpTH4Jc_uUvQ2r6LHQ1Yb0M9c3pX7kq2Q",
  expiresAt: "2027-01-01T00:00:00.000Z",
  expired: false,
  author: { type: "user", id: "usr_01kat4rz8e0c4g8k2p6t0x4b8d", name: "grace@example.com" },
  opens: 3,
  lastOpenedAt: at,
  createdAt: at,
} as const;
const params = z.object({ id: idParam("campaign", campaignExample.id) });
const common = { tag: "Campaigns", access: "editor", rate: "api" } as const;

/** Links to a campaign's report, which lib/doors/http/public/reports.ts opens. */
export const campaignReportOperations = [
  operation({
    ...common,
    method: "get",
    path: "/v1/campaigns/{id}/report-links",
    name: "listReportLinks",
    summary: "List links to a campaign's report",
    description: "Those that have expired are among them, those that were revoked are not.",
    params,
    answer: reportLinks,
    answerExample: { data: [example] },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      body: await listReportLinks(ctx, id),
    }),
  }),
  operation({
    ...common,
    method: "post",
    path: "/v1/campaigns/{id}/report-links",
    name: "createReportLink",
    summary: "Share a campaign's report by link",
    description:
      "Whoever has the link reads the campaign's figures, links and mail without signing in, until it expires or is revoked. The report holds sums alone: no address, name or id of a recipient, and no provider with fewer than ten of them.",
    params,
    body: reportLinkInput,
    bodyOptional: true,
    bodyExamples: {
      board: {
        summary: "Until the end of the year",
        value: { name: example.name, expiresAt: example.expiresAt },
      },
    },
    answer: reportLink,
    answerExample: example,
    successStatuses: [201],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 201,
      body: await createReportLink(ctx, id, body),
    }),
  }),
  operation({
    ...common,
    method: "delete",
    path: "/v1/campaigns/{id}/report-links/{linkId}",
    name: "deleteReportLink",
    summary: "Revoke a link to a campaign's report",
    description: "It opens nothing from then on.",
    params: params.extend({ linkId: idParam("link", example.id) }),
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id, linkId } }) => {
      await deleteReportLink(ctx, id, linkId);
      return { status: 204 };
    },
  }),
] as const;
