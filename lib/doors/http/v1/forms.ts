import { z } from "zod";
import { getFormFigures } from "@/lib/domain/forms/figures";
import { createForm, deleteForm, getForm, listForms, updateForm } from "@/lib/domain/forms/forms";
import { describeDraft, getFormMarkup } from "@/lib/domain/forms/preview";
import {
  figuresQuery,
  form,
  formFigures,
  formInput,
  formMarkup,
  formListQuery,
  formQuery,
  formUpdate,
  previewQuery,
} from "@/lib/domain/forms/schema";
import { pageSchema } from "@/lib/ground/paging/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { previewOf } from "@/lib/doors/http/public/pages/form-preview";
import { idParam } from "./parameters";

const shared = { tag: "Forms", rate: "api" } as const;
const figures = { seen: 1204, sent: 96, confirmed: 81, refused: 340 };
const example = {
  id: "frm_01kat4rz8sfq3v6d1mpx3k6w9j",
  name: "Footer",
  open: true,
  url: "https://mail.example.com/f/frm_01kat4rz8sfq3v6d1mpx3k6w9j",
  listId: "lst_01kat4rz8sfq3v6d1mpx3k6w9j",
  listName: "The weekly letter",
  topicIds: [],
  questions: [{ key: "firstName", label: "", required: false }],
  texts: { title: "The weekly letter", consent: "You can leave at any time." },
  look: { color: "#0a5c36", corner: 4, width: 480, theme: "auto" as const },
  thanksUrl: null,
  doubleOptIn: true,
  confirmationTemplateId: null,
  proofOfWork: false,
  language: null,
  figures,
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
};
const params = z.object({ id: idParam("form", example.id) });
const markupExample = { html: "<style>...</style>\n<div>...</div>\n", bytes: 2410 };

export const formOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/forms",
    name: "listForms",
    summary: "List sign-up forms",
    description: "Newest first, each with its figures since it was made.",
    access: "viewer",
    query: formQuery,
    sessionQuery: formListQuery,
    answer: pageSchema(form),
    answerExample: { data: [example] },
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await listForms(ctx, query) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/forms",
    name: "createForm",
    summary: "Create a sign-up form",
    description:
      "It has a page of its own at `url` at once. `listId` is on the page of the list's settings.",
    access: "editor",
    body: formInput,
    answer: form,
    answerExample: { ...example, figures: { seen: 0, sent: 0, confirmed: 0, refused: 0 } },
    successStatuses: [201],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { body }) => ({ status: 201, body: await createForm(ctx, body) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/forms/preview",
    name: "previewForm",
    summary: "See a form before it is saved",
    description: "The form itself, its pages, or the email that asks to confirm, as HTML.",
    access: "viewer",
    query: previewQuery,
    body: formInput,
    answer: formMarkup,
    answerExample: markupExample,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { query, body }) => ({
      status: 200,
      body: await previewOf(ctx.db, await describeDraft(ctx, body), query),
    }),
  }),
  operation({
    ...shared,
    method: "get",
    path: "/v1/forms/{id}",
    name: "getForm",
    summary: "Get a sign-up form",
    access: "viewer",
    params,
    answer: form,
    answerExample: example,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params }) => ({ status: 200, body: await getForm(ctx, params.id) }),
  }),
  operation({
    ...shared,
    method: "patch",
    path: "/v1/forms/{id}",
    name: "updateForm",
    summary: "Change a sign-up form",
    description: "Only the given fields change. Snippets that were pasted stay as they were.",
    access: "editor",
    params,
    body: formUpdate,
    answer: form,
    answerExample: example,
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params, body }) => ({
      status: 200,
      body: await updateForm(ctx, params.id, body),
    }),
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/v1/forms/{id}",
    name: "deleteForm",
    summary: "Delete a sign-up form",
    description: "With its figures. Who signed up by it stays.",
    access: "editor",
    params,
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params }) => {
      await deleteForm(ctx, params.id);
      return { status: 204 };
    },
  }),
  operation({
    ...shared,
    method: "get",
    path: "/v1/forms/{id}/figures",
    name: "getFormFigures",
    summary: "A form's figures by day",
    access: "viewer",
    params,
    query: figuresQuery,
    answer: formFigures,
    answerExample: { data: [{ day: "2026-11-21", ...figures }] },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params, query }) => ({
      status: 200,
      body: await getFormFigures(ctx, params.id, query),
    }),
  }),
  operation({
    ...shared,
    method: "get",
    path: "/v1/forms/{id}/snippet",
    name: "getFormSnippet",
    summary: "The form as HTML for your own page",
    description: "It needs no script and posts to Lettermill, which answers with a page.",
    access: "viewer",
    params,
    query: z.strictObject({
      language: z.string().max(35).optional().meta({
        description: "Of what your own texts leave out; without it the project's.",
        example: "de",
      }),
    }),
    answer: formMarkup,
    answerExample: markupExample,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params, query }) => ({
      status: 200,
      body: await getFormMarkup(ctx, params.id, query),
    }),
  }),
];
