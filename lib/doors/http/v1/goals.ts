import { z } from "zod";
import { createGoal, deleteGoal, listGoals, updateGoal } from "@/lib/domain/goals/goals";
import { goal, goalInput, goalList, goalUpdate } from "@/lib/domain/goals/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const shared = { tag: "Overview", rate: "api", sessionOnly: true } as const;
const params = z.object({ id: idParam("goal", "goal_01kat4rz8sfq3v6d1mpx3k6w9j") });

/** What a project's people want to reach, shown on Overview: only the dashboard has them. */
export const goalOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/overview/goals",
    name: "listGoals",
    summary: "List goals with their progress",
    access: "viewer",
    answer: goalList,
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await listGoals(ctx) }),
  }),
  operation({
    ...shared,
    method: "post",
    path: "/v1/overview/goals",
    name: "createGoal",
    summary: "Set a goal",
    access: "editor",
    body: goalInput,
    answer: goal,
    successStatuses: [201],
    errors: ["CONFLICT"],
    run: async (ctx, { body }) => ({ status: 201, body: await createGoal(ctx, body) }),
  }),
  operation({
    ...shared,
    method: "patch",
    path: "/v1/overview/goals/{id}",
    name: "updateGoal",
    summary: "Change a goal's target or period",
    access: "editor",
    params,
    body: goalUpdate,
    answer: goal,
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id }, body }) => ({
      status: 200,
      body: await updateGoal(ctx, id, body),
    }),
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/v1/overview/goals/{id}",
    name: "deleteGoal",
    summary: "Delete a goal",
    access: "editor",
    params,
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => {
      await deleteGoal(ctx, id);
      return { status: 204 };
    },
  }),
] as const;
