import { z } from "zod";
import { endAssistant, listAssistants } from "@/lib/domain/assistants/assistants";
import { assistant } from "@/lib/domain/assistants/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const shared = { tag: "Assistants", rate: "api", sessionOnly: true, access: "viewer" } as const;

/** Who connected which assistant; what each may do was decided on the consent page. */
export const assistantOperations = [
  operation({
    ...shared,
    method: "get",
    path: "/v1/assistants",
    name: "listAssistants",
    summary: "List connected assistants",
    answer: z.object({ data: z.array(assistant) }).meta({ id: "Assistants" }),
    successStatuses: [200],
    run: async (ctx) => ({ status: 200, body: await listAssistants(ctx) }),
  }),
  operation({
    ...shared,
    method: "delete",
    path: "/v1/assistants/{id}",
    name: "endAssistant",
    summary: "Disconnect an assistant",
    params: z.object({ id: idParam("assistant", "ast_01kat4rz8sfq3v6d1mpx3k6w9j") }),
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => {
      await endAssistant(ctx, id);
      return { status: 204 };
    },
  }),
] as const;
