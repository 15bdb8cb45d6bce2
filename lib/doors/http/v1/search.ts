import { find } from "@/lib/domain/search/search";
import { findAnswer, findQuery } from "@/lib/domain/search/schema";
import { operation } from "@/lib/doors/http/surface/operation";

export const findOperations = [
  operation({
    method: "get",
    path: "/v1/find",
    name: "find",
    summary: "Find anything by name, address or id",
    tag: "Overview",
    access: "viewer",
    rate: "api",
    sessionOnly: true,
    query: findQuery,
    answer: findAnswer,
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await find(ctx, query) }),
  }),
] as const;
