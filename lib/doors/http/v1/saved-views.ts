import { z } from "zod";
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  renameSavedView,
} from "@/lib/domain/saved-views/saved-views";
import {
  savedView,
  savedViewInput,
  savedViewList,
  savedViewQuery,
  savedViewUpdate,
} from "@/lib/domain/saved-views/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const shared = {
  tag: "Project",
  rate: "api",
  sessionOnly: true,
  access: "viewer",
  successStatuses: [200],
} as const;

const params = z.object({ id: idParam("view", "view_01kat4rz8sfq3v6d1mpx3k6w9j") });

/** The views of list pages that the person signed in has saved. */
export const savedViewOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/views",
    name: "listSavedViews",
    summary: "List your saved views",
    query: savedViewQuery,
    answer: savedViewList,
    run: async (ctx, { query }) => ({ status: 200, body: await listSavedViews(ctx, query) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/views",
    name: "createSavedView",
    summary: "Save a view",
    body: savedViewInput,
    answer: savedView,
    successStatuses: [201],
    errors: ["CONFLICT"],
    run: async (ctx, { body }) => ({ status: 201, body: await createSavedView(ctx, body) }),
  }),
  operation({
    ...shared,
    method: "patch",
    path: "/v1/views/{id}",
    name: "renameSavedView",
    summary: "Rename a saved view",
    params,
    body: savedViewUpdate,
    answer: savedView,
    errors: ["CONFLICT", "NOT_FOUND"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await renameSavedView(ctx, id, body),
    }),
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/v1/views/{id}",
    name: "deleteSavedView",
    summary: "Delete a saved view",
    params,
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => {
      await deleteSavedView(ctx, id);
      return { status: 204 };
    },
  }),
] as const;
