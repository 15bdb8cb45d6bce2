import { z } from "zod";
import {
  createInboundRoute,
  deleteInboundRoute,
  listInboundRoutes,
  restoreInboundRoute,
} from "@/lib/domain/inbound/routes";
import { inboundRoute, inboundRouteCreate } from "@/lib/domain/inbound/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { pageQuery, pageSchema } from "@/lib/ground/paging/schema";
import { idParam } from "./parameters";

const tag = "Inbound";
const example = {
  id: "irt_01kat4rz8sfq3v6d1mpx3k6w9j",
  pattern: "support+*@shop.example",
  webhookId: "wh_01kat4rz8sfq3v6d1mpx3k6w9j",
  url: "https://example.com/hooks/support",
  enabled: true,
  createdAt: "2026-11-21T09:30:00.000Z",
};

export const inboundRouteOperations = [
  operation({
    method: "get",
    path: "/v1/inbound/routes",
    name: "listInboundRoutes",
    summary: "List inbound routes",
    description: "Newest first.",
    tag,
    access: "viewer",
    rate: "api",
    query: pageQuery,
    answer: pageSchema(inboundRoute).meta({ id: "InboundRoutePage" }),
    answerExample: { data: [example] },
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await listInboundRoutes(ctx, query) }),
  }),
  operation({
    method: "post",
    path: "/v1/inbound/routes",
    name: "createInboundRoute",
    summary: "Route inbound mail to one webhook",
    description:
      "From now on `email.received` for addresses that fit the pattern goes to this webhook alone, whatever events it listens to. Of several patterns that fit, the one that says most decides: one with a domain before one without, then the one with more letters. Mail that fits none goes to every webhook that listens to `email.received`.",
    tag,
    access: "admin",
    rate: "api",
    body: inboundRouteCreate,
    bodyExamples: {
      support: {
        summary: "Support tickets",
        value: { pattern: example.pattern, webhookId: example.webhookId },
      },
    },
    answer: inboundRoute,
    answerExample: example,
    successStatuses: [201],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { body }) => ({ status: 201, body: await createInboundRoute(ctx, body) }),
  }),
  operation({
    method: "delete",
    path: "/v1/inbound/routes/{id}",
    name: "deleteInboundRoute",
    summary: "Delete an inbound route",
    description: "Deleting its webhook does the same.",
    tag,
    access: "admin",
    rate: "api",
    params: z.object({ id: idParam("inboundRoute", example.id) }),
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => {
      await deleteInboundRoute(ctx, id);
      return { status: 204 };
    },
  }),
  operation({
    tag,
    rate: "api",
    sessionOnly: true,
    method: "post",
    path: "/v1/inbound/routes/{id}/restore",
    name: "restoreInboundRoute",
    summary: "Take the deletion of an inbound route back",
    access: "admin",
    params: z.object({ id: idParam("inboundRoute", example.id) }),
    successStatuses: [204],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id } }) => {
      await restoreInboundRoute(ctx, id);
      return { status: 204 };
    },
  }),
] as const;
