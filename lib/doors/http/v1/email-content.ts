import { z } from "zod";
import { emailContent, getEmailContent } from "@/lib/domain/emails/content";
import { listEmailDetails } from "@/lib/domain/emails/log-details";
import { detailsQuery, emailDetails } from "@/lib/domain/emails/log-schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { emailExample } from "./examples";
import { idParam } from "./parameters";

/** Listed before the operations on one email: `details` is not an id. */
export const emailDetailsOperation = operation({
  method: "get",
  path: "/v1/emails/details",
  name: "listEmailDetails",
  summary: "Get what the log can show of emails besides their summaries",
  tag: "Emails",
  access: "viewer",
  rate: "api",
  sessionOnly: true,
  query: detailsQuery,
  answer: z.object({ data: z.array(emailDetails) }),
  successStatuses: [200],
  run: async (ctx, { query: { ids } }) => ({
    status: 200,
    body: { data: await listEmailDetails(ctx, ids.split(",")) },
  }),
});

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
