import { z } from "zod";
import { session } from "@/lib/domain/users/schema";
import { endOtherSessions, endOwnSession, listSessions } from "@/lib/domain/users/sessions";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const shared = { tag: "Sessions", rate: "api", sessionOnly: true, access: "viewer" } as const;

/** A person's own sessions: where they are signed in. */
export const sessionOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/sessions",
    name: "listSessions",
    summary: "List your sessions",
    answer: z.object({ data: z.array(session) }).meta({ id: "Sessions" }),
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await listSessions(ctx) }),
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/v1/sessions",
    name: "endOtherSessions",
    summary: "End all your sessions but this one",
    successStatuses: [204],
    run: async (ctx) => {
      await endOtherSessions(ctx);
      return { status: 204 };
    },
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/v1/sessions/{id}",
    name: "endSession",
    summary: "End one of your sessions",
    params: z.object({ id: idParam("session", "ses_01kat4rz8sfq3v6d1mpx3k6w9j") }),
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => {
      await endOwnSession(ctx, id);
      return { status: 204 };
    },
  }),
] as const;
