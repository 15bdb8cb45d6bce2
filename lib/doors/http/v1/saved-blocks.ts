import { z } from "zod";
import {
  createSavedBlock,
  deleteSavedBlock,
  listSavedBlocks,
  restoreSavedBlock,
  updateSavedBlock,
} from "@/lib/domain/saved-blocks/saved-blocks";
import {
  savedBlock,
  savedBlockInput,
  savedBlockList,
  savedBlockUpdate,
} from "@/lib/domain/saved-blocks/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const shared = { tag: "Templates", rate: "api", sessionOnly: true } as const;
const params = z.object({ id: idParam("saved block", "blk_01kat4rz8sfq3v6d1mpx3k6w9j") });

/** Blocks of the visual editor that people keep for their next mails: only the dashboard has them. */
export const savedBlockOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/saved-blocks",
    name: "listSavedBlocks",
    summary: "List saved blocks",
    access: "viewer",
    answer: savedBlockList,
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await listSavedBlocks(ctx) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/saved-blocks",
    name: "createSavedBlock",
    summary: "Save blocks",
    access: "editor",
    body: savedBlockInput,
    answer: savedBlock,
    successStatuses: [201],
    errors: ["CONFLICT"],
    run: async (ctx, { body }) => ({ status: 201, body: await createSavedBlock(ctx, body) }),
  }),
  operation({
    ...shared,
    method: "patch",
    path: "/v1/saved-blocks/{id}",
    name: "updateSavedBlock",
    summary: "Change saved blocks",
    access: "editor",
    params,
    body: savedBlockUpdate,
    answer: savedBlock,
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await updateSavedBlock(ctx, id, body),
    }),
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/v1/saved-blocks/{id}",
    name: "deleteSavedBlock",
    summary: "Delete saved blocks",
    access: "editor",
    params,
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => {
      await deleteSavedBlock(ctx, id);
      return { status: 204 };
    },
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/saved-blocks/{id}/restore",
    name: "restoreSavedBlock",
    summary: "Take the deletion of saved blocks back",
    access: "editor",
    params,
    successStatuses: [204],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id } }) => {
      await restoreSavedBlock(ctx, id);
      return { status: 204 };
    },
  }),
] as const;
