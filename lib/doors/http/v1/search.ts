import { search } from "@/lib/domain/search/search";
import { searchAnswer, searchQuery } from "@/lib/domain/search/schema";
import { operation } from "@/lib/doors/http/surface/operation";

export const searchOperations = [
  operation({
    method: "get",
    path: "/v1/find",
    name: "find",
    summary: "Find anything by name, address or id",
    tag: "Overview",
    access: "viewer",
    rate: "api",
    sessionOnly: true,
    query: searchQuery,
    answer: searchAnswer,
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await search(ctx, query) }),
  }),
] as const;
