import { z } from "zod";
import { explainRecipient } from "@/lib/domain/recipients/explain";
import { recipientExplanation } from "@/lib/domain/recipients/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { campaignExample } from "./campaign-examples";
import { idParam } from "./parameters";

const explanationExample = {
  campaignId: campaignExample.id,
  contact: { id: "con_01kat4rz8hfd2b7z1cm4x5n8qk", email: "ada@example.com" },
  outcome: "not_received",
  code: "not_in_segment",
  reason: "They are not in the campaign's segment. data.plan must be “pro”, and is “free”.",
  since: null,
  suppression: null,
  failedConditions: [
    {
      field: "data.plan",
      op: "eq",
      value: "pro",
      actual: "free",
      reason: "data.plan must be “pro”, and is “free”.",
    },
  ],
  serverReply: null,
  nextAt: null,
  emailId: null,
};

export const campaignRecipientOperations = [
  operation({
    method: "get",
    path: "/v1/campaigns/{id}/recipients/{contact}",
    name: "explainRecipient",
    summary: "Why somebody got a campaign or did not",
    description:
      "For any contact of the project, by id or address: a code for programs and the same in one sentence, down to the conditions of the segment they fail. Of a draft it says whether they would get it.",
    tag: "Campaigns",
    access: "viewer",
    rate: "api",
    params: z.object({
      id: idParam("campaign", campaignExample.id),
      contact: idParam("contact, or an address", explanationExample.contact.id),
    }),
    answer: recipientExplanation,
    answerExample: explanationExample,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id, contact } }) => ({
      status: 200,
      body: await explainRecipient(ctx, id, contact),
    }),
  }),
] as const;
