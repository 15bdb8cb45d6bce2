import { z } from "zod";
import {
  templateDraftAnswer,
  templateDraftInput,
  templateDraftQuery,
} from "@/lib/domain/templates/draft-schema";
import {
  forgetTemplateDraft,
  keepTemplateDraft,
  readTemplateDraft,
} from "@/lib/domain/templates/drafts";
import { contentBodyLimit } from "@/lib/doors/http/surface/body";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const shared = {
  tag: "Templates",
  path: "/v1/templates/{id}/draft",
  params: z.object({ id: idParam("template", "tpl_01kat4rz8sfq3v6d1mpx3k6w9j") }),
  rate: "api",
  sessionOnly: true,
  successStatuses: [200],
} as const;

/** What the person signed in has written into a template and not saved. */
export const templateDraftOperations = [
  operation({
    ...shared,
    method: "get",
    name: "readTemplateDraft",
    summary: "Your draft of a template",
    access: "viewer",
    answer: templateDraftAnswer,
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      body: { draft: await readTemplateDraft(ctx, id) },
    }),
  }),
  operation({
    ...shared,
    method: "put",
    name: "keepTemplateDraft",
    summary: "Keep your draft of a template",
    access: "editor",
    body: templateDraftInput,
    bodyLimit: contentBodyLimit,
    answer: z.object({ updatedAt: z.iso.datetime() }),
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await keepTemplateDraft(ctx, id, body),
    }),
  }),
  operation({
    ...shared,
    method: "delete",
    name: "forgetTemplateDraft",
    summary: "Forget your draft of a template",
    access: "viewer",
    query: templateDraftQuery,
    successStatuses: [204],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id }, query }) => {
      await forgetTemplateDraft(ctx, id, query.basedOn);
      return { status: 204 };
    },
  }),
] as const;
