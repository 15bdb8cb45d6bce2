import { z } from "zod";
import { emailContent, getEmailContent } from "@/lib/domain/emails/content";
import { operation } from "@/lib/doors/http/surface/operation";
import { emailExample } from "./examples";
import { idParam } from "./parameters";

export const emailContentOperations = [
  operation({
    method: "get",
    path: "/v1/emails/{id}/content",
    name: "getEmailContent",
    summary: "Get what an email's recipient sees",
    description: "As a mail program would show it, with headers and source.",
    tag: "Emails",
    access: "viewer",
    rate: "api",
    sessionOnly: true,
    params: z.object({ id: idParam("email", emailExample.id) }),
    answer: emailContent,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({ status: 200, body: await getEmailContent(ctx, id) }),
  }),
] as const;
