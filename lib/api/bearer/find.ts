import { find } from "@/lib/find/find";
import { findAnswer, findQuery } from "@/lib/find/schema";
import { operation } from "../operation";

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
