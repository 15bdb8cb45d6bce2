import { z } from "zod";
import {
  previewInput,
  renderedTemplate,
  renderInput,
  template,
  templateInput,
  templateReplacement,
  templatePage,
  templateQuery,
  templateUpdate,
  templateVersion,
} from "@/lib/domain/templates/schema";
import { deleteTemplate, restoreTemplate } from "@/lib/domain/templates/delete";
import {
  createTemplate,
  getTemplate,
  listTemplates,
  previewContent,
  previewTemplate,
  updateTemplate,
} from "@/lib/domain/templates/templates";
import { testTemplate } from "@/lib/domain/templates/test-mail";
import { listTemplateVersions } from "@/lib/domain/templates/versions";
import { templateTest, templateTestSent } from "@/lib/domain/templates/test-schema";
import { contentBodyLimit } from "@/lib/doors/http/surface/body";
import { jsonAnswer } from "@/lib/doors/http/surface/json-answer";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const tag = "Templates";
const input = {
  name: "Welcome",
  subject: "Welcome, {{ firstName | default: 'friend' }}",
  body: "<p>Good to have you here, {{ firstName }}.</p>",
};
const summary = {
  id: "tpl_01kat4rz8sfq3v6d1mpx3k6w9j",
  name: input.name,
  subject: input.subject,
  version: 1,
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
};
const example = { ...summary, body: input.body, design: null };
const rendered = {
  subject: "Welcome, Ada",
  html: "<p>Good to have you here, Ada.</p>",
  text: "Good to have you here, Ada.",
};
const params = z.object({ id: idParam("template", summary.id) });

const update = {
  summary: "Change a template",
  description: "Only the given fields change. The previous version is kept.",
  tag,
  access: "editor",
  rate: "api",
  params,
  answer: template,
  answerExample: { ...example, version: 2 },
  successStatuses: [200],
  errors: ["NOT_FOUND", "CONFLICT"],
} as const;

export const templateOperations = [
  operation({
    method: "get",
    path: "/v1/templates",
    name: "listTemplates",
    summary: "List templates",
    description: "Newest first unless sorted otherwise, without their bodies.",
    tag,
    access: "viewer",
    rate: "api",
    query: templateQuery,
    answer: templatePage,
    answerExample: { data: [summary], page: 1, pageSize: 20, total: 1, totalPages: 1 },
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await listTemplates(ctx, query) }),
  }),
  operation({
    method: "post",
    path: "/v1/templates",
    name: "createTemplate",
    summary: "Create a template",
    description: "A template that does not parse is refused with line and column.",
    tag,
    access: "editor",
    rate: "api",
    body: templateInput,
    bodyLimit: contentBodyLimit,
    bodyExamples: { welcome: { summary: "A welcome", value: input } },
    answer: template,
    answerExample: example,
    successStatuses: [201],
    run: async (ctx, { body }) => ({ status: 201, body: await createTemplate(ctx, body) }),
  }),
  operation({
    method: "post",
    path: "/v1/templates/preview",
    name: "previewTemplate",
    summary: "Preview content that is not saved",
    description:
      "Subject, HTML and plain text as a person with this `data` would receive them. Content that does not parse is refused with line and column.",
    tag,
    access: "viewer",
    rate: "api",
    body: previewInput,
    bodyLimit: contentBodyLimit,
    bodyExamples: {
      ada: {
        summary: "For Ada",
        value: { subject: input.subject, body: input.body, data: { firstName: "Ada" } },
      },
    },
    answer: renderedTemplate,
    answerExample: rendered,
    successStatuses: [200],
    run: async (ctx, { body }) => ({ status: 200, body: await previewContent(ctx, body) }),
  }),
  operation({
    method: "post",
    path: "/v1/templates/test",
    name: "testTemplate",
    summary: "Send a test of content, saved or not",
    tag,
    access: "editor",
    rate: "send",
    sessionOnly: true,
    body: templateTest,
    bodyLimit: contentBodyLimit,
    answer: templateTestSent,
    successStatuses: [200],
    errors: ["NOT_FOUND", "DOMAIN_NOT_VERIFIED", "PAYMENT_REQUIRED"],
    run: async (ctx, { body }) => ({ status: 200, body: await testTemplate(ctx, body) }),
  }),
  operation({
    method: "get",
    path: "/v1/templates/{id}",
    name: "getTemplate",
    summary: "Get a template",
    tag,
    access: "viewer",
    rate: "api",
    params,
    answer: template,
    answerExample: example,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await getTemplate(ctx, id) }),
  }),
  operation({
    ...update,
    method: "put",
    path: "/v1/templates/{id}",
    name: "replaceTemplate",
    summary: "Replace a template",
    description: "All three fields. The previous version is kept.",
    body: templateReplacement,
    bodyLimit: contentBodyLimit,
    bodyExamples: { welcome: { summary: "All of it", value: input } },
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await updateTemplate(ctx, id, body),
    }),
  }),
  operation({
    ...update,
    method: "patch",
    path: "/v1/templates/{id}",
    name: "updateTemplate",
    body: templateUpdate,
    bodyLimit: contentBodyLimit,
    bodyExamples: { name: { summary: "Another name", value: { name: "Welcome 2027" } } },
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await updateTemplate(ctx, id, body),
    }),
  }),
  operation({
    method: "delete",
    path: "/v1/templates/{id}",
    name: "deleteTemplate",
    summary: "Delete a template",
    description:
      "Mail sent with it stays as it is. 409 while a scheduled or running campaign uses it.",
    tag,
    access: "editor",
    rate: "api",
    params,
    successStatuses: [204],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id } }) => {
      await deleteTemplate(ctx, id);
      return { status: 204 };
    },
  }),
  operation({
    tag,
    rate: "api",
    sessionOnly: true,
    method: "post",
    path: "/v1/templates/{id}/restore",
    name: "restoreTemplate",
    summary: "Take the deletion of a template back",
    access: "editor",
    params,
    successStatuses: [204],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id } }) => {
      await restoreTemplate(ctx, id);
      return { status: 204 };
    },
  }),
  operation({
    method: "post",
    path: "/v1/templates/{id}/render",
    name: "renderTemplate",
    summary: "Preview a template",
    description: "Subject, HTML and plain text as a person with this `data` would receive them.",
    tag,
    access: "viewer",
    rate: "api",
    params,
    // A megabyte of variables and what is around it.
    bodyLimit: contentBodyLimit,
    body: renderInput,
    bodyExamples: { ada: { summary: "For Ada", value: { data: { firstName: "Ada" } } } },
    answer: renderedTemplate,
    answerExample: rendered,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await previewTemplate(ctx, id, body.data ?? {}),
    }),
  }),
  operation({
    method: "get",
    path: "/v1/templates/{id}/versions",
    name: "listTemplateVersions",
    summary: "List a template's versions",
    description: "Newest first, including the current one.",
    tag,
    access: "viewer",
    rate: "api",
    params,
    answer: z.object({ data: z.array(templateVersion) }).meta({ id: "TemplateVersions" }),
    answerExample: { data: [{ version: 1, ...input, design: null, createdAt: summary.createdAt }] },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) =>
      jsonAnswer(await listTemplateVersions(ctx, id), { around: ['{"data":', "}"] }),
  }),
] as const;
