import { z } from "zod";
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  scheduleCampaign,
  sendCampaign,
  unscheduleCampaign,
} from "@/lib/domain/campaigns/transitions";
import {
  campaignResume,
  campaignSchedule,
  campaignSend,
} from "@/lib/domain/campaigns/action-schema";
import { campaign, type Campaign } from "@/lib/domain/campaigns/schema";
import { winnerChoice } from "@/lib/domain/ab-tests/schema";
import { chooseWinner } from "@/lib/domain/campaigns/choose-winner";
import type { Context } from "@/lib/ground/context";
import { readIdempotencyKey } from "@/lib/domain/emails/idempotency";
import { operation } from "@/lib/doors/http/surface/operation";
import {
  campaignExample,
  campaignExamples,
  draftCampaignExample,
  testedCampaignExample,
} from "./campaign-examples";
import { idParam } from "./parameters";

const tag = "Campaigns";
const params = z.object({ id: idParam("campaign", campaignExample.id) });

/** What all transitions share; each answers with the campaign as it is afterwards. */
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

/** From one state to another, in the order of a campaign's life. */
export const campaignTransitions = [
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
    description: "A draft starts automatically at that time.",
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
    description: "Nothing more goes out, except what is being handed over at this moment.",
    answerExample: { ...campaignExample, status: "PAUSED" },
    run: runTransition(pauseCampaign),
  }),
  operation({
    ...transition,
    method: "post",
    path: "/v1/campaigns/{id}/resume",
    name: "resumeCampaign",
    summary: "Resume a campaign",
    description:
      "It continues with the people who have not received it yet. One that the guard paused (`guard` says why) needs `acknowledge: true`, and is judged anew from then on.",
    body: campaignResume,
    bodyOptional: true,
    bodyExamples: {
      acknowledged: {
        summary: "After the guard paused it",
        value: { acknowledge: true },
      },
    },
    answerExample: { ...campaignExample, status: "SENDING" },
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await resumeCampaign(ctx, id, body),
    }),
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
    path: "/v1/campaigns/{id}/winner",
    name: "chooseWinner",
    summary: "Choose the winner of an A/B test",
    description:
      "At any time while the test is running: everybody who is not in it gets this variant. Otherwise the winner is found by `winnerMetric` when the wait is over.",
    body: winnerChoice,
    bodyExamples: campaignExamples.winner,
    answerExample: testedCampaignExample,
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await chooseWinner(ctx, id, body),
    }),
  }),
] as const;
