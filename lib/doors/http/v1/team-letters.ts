import { getTeamLetterChoices, updateTeamLetterChoices } from "@/lib/domain/team-letters/choices";
import { teamLetterChoices, teamLetterUpdate } from "@/lib/domain/team-letters/schema";
import { operation } from "@/lib/doors/http/surface/operation";

const shared = {
  tag: "Project",
  rate: "api",
  sessionOnly: true,
  access: "viewer",
  path: "/v1/notifications",
  answer: teamLetterChoices,
  successStatuses: [200],
} as const;

/** Which mails about the project the person signed in gets. */
export const teamLetterOperations = [
  operation({
    ...shared,
    method: "get",
    name: "getNotifications",
    summary: "Which mails about the project you get",
    run: async (ctx) => ({ status: 200, body: await getTeamLetterChoices(ctx) }),
  }),
  operation({
    ...shared,
    method: "patch",
    name: "updateNotifications",
    summary: "Choose which mails about the project you get",
    body: teamLetterUpdate,
    run: async (ctx, { body }) => ({ status: 200, body: await updateTeamLetterChoices(ctx, body) }),
  }),
] as const;
