import { z } from "zod";
import { getCampaignProgress } from "@/lib/domain/campaigns/read";
import { pauseCampaign } from "@/lib/domain/campaigns/transitions";
import { listCampaignTexts } from "@/lib/domain/campaigns/campaign-texts";
import { getCampaignPurpose, getCampaignReaders } from "@/lib/domain/campaigns/report";
import { isAppError } from "@/lib/ground/errors";
import { jsonAnswer } from "@/lib/doors/http/surface/json-answer";
import { operation } from "@/lib/doors/http/surface/operation";
import {
  campaignDetail,
  listedCampaign,
  toCampaignDetail,
  toListedCampaign,
} from "./campaign-view";
import { done, notDone, paging, plainOutcome, sliceOf, uidParam } from "./values";

const tag = "Campaigns";
const exampleUid = "cmp_01kat4rz8sfq3v6d1mpx3k6w9j";
const params = uidParam("campaign", exampleUid);
const perPage = 1000;

const times = {
  created_at: "2026-11-21T06:30:00.000000Z",
  updated_at: "2026-11-21T07:00:00.000000Z",
};
const sender = { from_email: "news@example.com", from_name: "Example" };

export const campaignOperations = [
  operation({
    method: "get",
    path: "/campaigns",
    name: "listCampaigns",
    summary: "List the campaigns",
    description:
      "Newest first, including those made in the dashboard. States: new, scheduled, sending, paused, done, cancelled, error.",
    tag,
    access: "viewer",
    rate: "api",
    query: z.object(paging(perPage)),
    answer: z.array(listedCampaign),
    answerExample: [
      {
        uid: exampleUid,
        name: "November news",
        type: "regular",
        subject: "News from Example",
        plain: "Hello {{ firstName }}",
        ...sender,
        reply_to: sender.from_email,
        status: "done",
        delivery_at: "2026-11-21 07:00:00",
        ...times,
      },
    ],
    successStatuses: [200],
    run: async (ctx, { query }) =>
      jsonAnswer(await listCampaignTexts(ctx, sliceOf(query, perPage)), {
        toItem: toListedCampaign,
      }),
  }),
  operation({
    method: "get",
    path: "/campaigns/{uid}",
    name: "getCampaign",
    summary: "Get a campaign and its statistics",
    description: "Opens and clicks by machines are left out. Rates are 0 to 1.",
    tag,
    access: "viewer",
    rate: "api",
    params,
    answer: campaignDetail,
    answerExample: {
      campaign: {
        uid: exampleUid,
        name: "November news",
        list: "News",
        segment: null,
        default_subject: "News from Example",
        ...sender,
        remind_message: null,
        status: "done",
        ...times,
      },
      statistics: {
        subscriber_count: 200,
        uniq_open_rate: 0.25,
        delivered_rate: 1,
        unique_open_count: 50,
        open_rate: 0.25,
        uniq_open_count: 50,
        last_open: "2026-11-21T09:12:44.000000Z",
        click_rate: 0.1,
        click_count: 27,
        abuse_feedback_count: 0,
        last_click: "2026-11-21T09:13:02.000000Z",
        bounce_count: 0,
        unsubscribe_count: 1,
        links: ["https://example.com/november"],
        top_locations: ["Germany", "France"],
        top_open_subscribers: [{ uid: "sub_01kat4rz8sfq3v6d1mpx3k6w9j", email: "ada@example.com" }],
      },
    },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { uid } }) => {
      const [campaign, purpose, readers] = await Promise.all([
        getCampaignProgress(ctx, uid),
        getCampaignPurpose(ctx, uid),
        getCampaignReaders(ctx, uid),
      ]);
      return { status: 200, body: toCampaignDetail(campaign, purpose, readers) };
    },
  }),
  operation({
    method: "post",
    path: "/campaigns/{uid}/pause",
    name: "pauseCampaign",
    summary: "Pause a campaign that is being sent",
    description: "Nothing more goes out until it is resumed. Status 0 if it is not sending.",
    tag,
    access: "editor",
    rate: "api",
    params,
    answer: plainOutcome,
    answerExample: { status: 1, message: "The campaign was paused" },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { uid } }) => {
      try {
        await pauseCampaign(ctx, uid);
        return done("The campaign was paused");
      } catch (error) {
        if (!isAppError(error) || error.code !== "CONFLICT") throw error;
        return notDone("Only a campaign that is being sent can be paused");
      }
    },
  }),
] as const;
