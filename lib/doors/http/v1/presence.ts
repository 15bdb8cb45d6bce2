import { z } from "zod";
import { tellPresence } from "@/lib/domain/presence/presence";
import { othersPresent, presenceInput } from "@/lib/domain/presence/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const shared = {
  method: "post",
  rate: "api",
  sessionOnly: true,
  access: "viewer",
  body: presenceInput,
  answer: othersPresent,
  successStatuses: [200],
  errors: ["NOT_FOUND"],
} as const;

/** Open editors say so, and hear who else has the same thing open. */
export const presenceOperations = [
  operation({
    ...shared,
    path: "/v1/templates/{id}/presence",
    name: "tellTemplatePresence",
    summary: "Say that a template is open",
    tag: "Templates",
    params: z.object({ id: idParam("template", "tpl_01kat4rz8sfq3v6d1mpx3k6w9j") }),
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await tellPresence(ctx, "template", id, body),
    }),
  }),
  operation({
    ...shared,
    path: "/v1/campaigns/{id}/presence",
    name: "tellCampaignPresence",
    summary: "Say that a campaign is open",
    tag: "Campaigns",
    params: z.object({ id: idParam("campaign", "cmp_01kat4rz8sfq3v6d1mpx3k6w9j") }),
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await tellPresence(ctx, "campaign", id, body),
    }),
  }),
] as const;
