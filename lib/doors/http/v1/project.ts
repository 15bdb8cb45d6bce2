import { previewRecipientPage } from "@/lib/doors/http/public/pages/recipient-preview";
import { followedQuery } from "@/lib/domain/exports/schema";
import { exportProject } from "@/lib/domain/project-data/export";
import { createOwnProject } from "@/lib/domain/projects/create";
import { deleteProject } from "@/lib/domain/projects/delete";
import { pageMarkup, pagesPreview } from "@/lib/domain/projects/pages-schema";
import { sampleRecipientPages } from "@/lib/domain/projects/recipient-pages";
import {
  projectCreate,
  projectCreated,
  projectDelete,
  projectSettings,
  projectUpdate,
  projectUsage,
} from "@/lib/domain/projects/schema";
import { getProjectSettings, updateProjectSettings } from "@/lib/domain/projects/settings";
import { getUsage } from "@/lib/domain/projects/usage";
import { operation } from "@/lib/doors/http/surface/operation";
import { exportedFile } from "./exports";

const ofProject = { tag: "Project", rate: "api", sessionOnly: true } as const;

const shared = {
  ...ofProject,
  path: "/v1/project",
  answer: projectSettings,
  successStatuses: [200],
} as const;

/** The project itself: only people change it, never programs. */
export const projectOperations = [
  operation({
    ...shared,
    method: "get",
    name: "getProject",
    summary: "The project's settings",
    access: "viewer",
    run: async (ctx) => ({ status: 200, body: await getProjectSettings(ctx) }),
  }),
  operation({
    ...shared,
    method: "patch",
    name: "updateProject",
    summary: "Change the project's settings",
    access: "admin",
    body: projectUpdate,
    errors: ["CONFLICT"],
    run: async (ctx, { body }) => ({ status: 200, body: await updateProjectSettings(ctx, body) }),
  }),
  operation({
    ...ofProject,
    method: "post",
    path: "/v1/project/preview",
    name: "previewRecipientPages",
    summary: "See what recipients would be shown before it is saved",
    access: "viewer",
    reads: "replica",
    body: pagesPreview,
    answer: pageMarkup,
    successStatuses: [200],
    run: async (ctx, { body }) => ({
      status: 200,
      body: await previewRecipientPage(ctx.db, await sampleRecipientPages(ctx, body), body),
    }),
  }),
  operation({
    ...ofProject,
    method: "get",
    path: "/v1/project/export",
    name: "exportProject",
    summary: "Export the project as a ZIP",
    access: "admin",
    query: followedQuery,
    answerType: "application/zip",
    // It is audited; what it reads asks the replica.
    reads: "primary",
    successStatuses: [200],
    run: (ctx, { query: { progress } }) =>
      exportedFile(ctx, "project.zip", progress, () => exportProject(ctx)),
  }),
  operation({
    ...ofProject,
    method: "get",
    path: "/v1/project/usage",
    name: "getUsage",
    summary: "How many emails were sent, by month",
    access: "viewer",
    answer: projectUsage,
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await getUsage(ctx) }),
  }),
  operation({
    ...ofProject,
    method: "post",
    path: "/v1/project/create",
    name: "createProject",
    summary: "Make another project",
    access: "owner",
    body: projectCreate,
    answer: projectCreated,
    successStatuses: [201],
    errors: ["CONFLICT"],
    run: async (ctx, { body }) => ({ status: 201, body: await createOwnProject(ctx, body) }),
  }),
  operation({
    ...ofProject,
    method: "post",
    path: "/v1/project/delete",
    name: "deleteProject",
    summary: "Delete the project with all it holds",
    access: "owner",
    body: projectDelete,
    successStatuses: [204],
    errors: ["CONFLICT"],
    run: async (ctx, { body }) => {
      await deleteProject(ctx, body);
      return { status: 204 };
    },
  }),
] as const;
