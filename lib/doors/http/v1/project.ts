import { projectSettings, projectUpdate } from "@/lib/domain/projects/schema";
import { getProjectSettings, updateProjectSettings } from "@/lib/domain/projects/settings";
import { operation } from "@/lib/doors/http/surface/operation";

const shared = {
  path: "/v1/project",
  tag: "Project",
  rate: "api",
  sessionOnly: true,
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
] as const;
