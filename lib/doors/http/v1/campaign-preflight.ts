import { z } from "zod";
import { preflightCampaign } from "@/lib/domain/preflight/preflight";
import { preflight } from "@/lib/domain/preflight/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { campaignExample } from "./campaign-examples";
import { idParam } from "./parameters";

/** What is wrong with a campaign before it goes out. */
export const campaignPreflight = operation({
  method: "get",
  path: "/v1/campaigns/{id}/preflight",
  name: "preflightCampaign",
  summary: "Check a campaign before it goes out",
  description:
    "Compares its placeholders with the audience (with a sample of a large one), renders it, calls its links and pictures, and looks at its sender. With `blocking` findings it cannot be sent or scheduled; `advisory` ones are worth knowing. Changes nothing.",
  tag: "Campaigns",
  access: "viewer",
  rate: "api",
  params: z.object({ id: idParam("campaign", campaignExample.id) }),
  answer: preflight,
  answerExample: {
    campaignId: campaignExample.id,
    checkedAt: "2026-11-21T09:30:00.000Z",
    contentUpdatedAt: "2026-11-21T09:29:41.318Z",
    blocking: [],
    advisory: [
      {
        code: "placeholder_unknown",
        message:
          "“contact.firstName” prints nothing: it is not known for any of the 3,000 people looked at. Did you mean firstName?",
        places: [{ path: "subject", excerpt: "{{ contact.firstName }}", line: 1, column: 1 }],
        count: 3000,
        examples: [],
        suggestion: "{{ firstName }}",
      },
      {
        code: "link_broken",
        message:
          "1 link leads to a page that is not there: https://example.com/nwe (it answers 404).",
        places: [{ path: "body", excerpt: "https://example.com/nwe", line: 12, column: 18 }],
        count: 1,
        examples: ["https://example.com/nwe"],
        suggestion: null,
      },
    ],
    audience: {
      count: 3000,
      total: 3120,
      excluded: {
        never_subscribed: 0,
        unsubscribed: 97,
        paused: 2,
        hard_bounce: 18,
        complaint: 2,
        manual: 0,
        domain: 0,
        left_topic: 1,
        less_often: 0,
      },
    },
    looked: { people: 3000, links: 7, images: 2 },
    bytes: 18412,
    sender: { domain: "example.com", verified: true, dmarc: "none" },
    spam: { score: 0.5, reasons: [{ text: "“order now”", points: 0.5 }] },
    warmup: { dailyCap: 1000, days: 3, expectedEndAt: "2026-11-23T14:00:00.000Z" },
  },
  successStatuses: [200],
  errors: ["NOT_FOUND"],
  run: async (ctx, { params: { id } }) => ({ status: 200, body: await preflightCampaign(ctx, id) }),
});
