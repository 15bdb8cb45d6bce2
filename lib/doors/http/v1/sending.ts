import { z } from "zod";
import { releaseProject } from "@/lib/domain/sending-state/hold";
import { getSendingState, resumeSender } from "@/lib/domain/sending-state/read";
import { getCampaignPace, setCampaignPace } from "@/lib/domain/sending-state/pace";
import { campaignPace, sendingState } from "@/lib/domain/sending-state/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { domain } from "@/lib/domain/sending-domains/schema";
import { domainExample } from "./domains";
import { idParam } from "./parameters";

const example = {
  way: { connectionId: null, kind: "ses", region: "eu-central-1" },
  hold: null,
  waiting: { transactional: 1_204, campaigns: 0 },
  mailServer: null,
  receivers: [{ receiver: "example-mail.com", perMinute: 30, since: "2026-11-21T09:30:04.000Z" }],
  senders: [
    {
      domain: domainExample.id,
      name: domainExample.name,
      words: "550 5.1.0 Sender address rejected: not owned by user",
      since: "2026-11-21T09:28:11.000Z",
      waiting: 1_190,
    },
  ],
} satisfies z.input<typeof sendingState>;

const shared = {
  tag: "Sending",
  rate: "api",
  answer: sendingState,
  answerExample: example,
  successStatuses: [200],
} as const;

const pace = {
  path: "/v1/sending/pace",
  tag: "Sending",
  rate: "api",
  answer: campaignPace,
  answerExample: { emailsPerHour: 5_000 },
  successStatuses: [200],
} as const;

export const sendingOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/sending",
    name: "getSendingState",
    summary: "Get what keeps mail from leaving",
    description:
      "How mail leaves, whether the mail server and the receivers behind it take the project's mail, and how much of it waits. Nothing of what waits is lost.",
    access: "viewer",
    run: async (ctx) => ({ status: 200, body: await getSendingState(ctx) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/sending/go-on",
    name: "releaseMail",
    summary: "Let mail go on after a restore",
    description:
      "After the database was restored from a backup all mail is held, since what waits in it may have been sent after the backup was made. This lets the project's mail go on; what was sent is then sent again. Cancel first what must not be.",
    access: "admin",
    errors: ["CONFLICT"],
    run: async (ctx) => {
      await releaseProject(ctx);
      return { status: 200, body: await getSendingState(ctx) };
    },
  }),
  operation({
    ...pace,
    method: "get",
    name: "getCampaignPace",
    summary: "Get the pace of campaigns",
    access: "viewer",
    run: async (ctx) => ({ status: 200, body: await getCampaignPace(ctx) }),
  }),
  operation({
    ...pace,
    method: "put",
    name: "setCampaignPace",
    summary: "Set the pace of campaigns",
    description:
      "No hour, wherever it begins, has more of the project's campaign mail than this, however many workers send. It holds at once, also for campaigns that are being sent. Mail outside campaigns is neither held back nor counted.",
    access: "admin",
    body: campaignPace,
    run: async (ctx, { body }) => ({ status: 200, body: await setCampaignPace(ctx, body) }),
  }),
  operation({
    method: "post",
    path: "/v1/domains/{id}/resume",
    name: "resumeDomain",
    summary: "Let mail of a refused sender go on",
    description:
      "For a domain that `GET /v1/sending` lists among the senders the mail server refuses: all of its mail that waits is tried again at once.",
    tag: "Domains",
    access: "admin",
    rate: "api",
    params: z.object({ id: idParam("domain", domainExample.id) }),
    answer: domain,
    answerExample: domainExample,
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await resumeSender(ctx, id) }),
  }),
] as const;
