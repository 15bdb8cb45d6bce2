import { getOverview } from "@/lib/domain/overview/overview";
import { getOverviewProviders } from "@/lib/domain/overview/providers";
import { overview, overviewProviders, overviewQuery } from "@/lib/domain/overview/schema";
import { operation } from "@/lib/doors/http/surface/operation";

export const overviewOperations = [
  operation({
    method: "get",
    path: "/v1/overview",
    name: "getOverview",
    summary: "Figures and set-up of a project",
    tag: "Overview",
    access: "viewer",
    rate: "api",
    sessionOnly: true,
    query: overviewQuery,
    answer: overview,
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await getOverview(ctx, query) }),
  }),
  operation({
    method: "get",
    path: "/v1/overview/providers",
    name: "getOverviewProviders",
    summary: "A project's mail of seven days by receiving provider",
    tag: "Overview",
    access: "viewer",
    rate: "api",
    sessionOnly: true,
    answer: overviewProviders,
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await getOverviewProviders(ctx) }),
  }),
] as const;
