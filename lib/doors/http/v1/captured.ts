import { z } from "zod";
import {
  clearCapturedEmails,
  deleteCapturedEmail,
  getCapturedEmail,
  listCapturedEmails,
} from "@/lib/domain/emails/captured";
import { capturedEmail, capturedQuery, capturedSummary } from "@/lib/domain/emails/captured-schema";
import { pageSchema } from "@/lib/ground/paging/schema";
import { operation } from "@/lib/doors/http/surface/operation";
import { idParam } from "./parameters";

const tag = "Captured mailbox";
const params = z.object({ id: idParam("capture", "cap_01kat4rz8sfq3v6d1mpx3k6w9j") });

export const capturedOperations = [
  operation({
    method: "get",
    path: "/v1/captured",
    name: "listCapturedEmails",
    summary: "List captured messages",
    description: "Newest first.",
    tag,
    access: "viewer",
    rate: "api",
    sessionOnly: true,
    query: capturedQuery,
    answer: pageSchema(capturedSummary).meta({ id: "CapturedPage" }),
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await listCapturedEmails(ctx, query) }),
  }),
  operation({
    method: "get",
    path: "/v1/captured/{id}",
    name: "getCapturedEmail",
    summary: "Get a captured message",
    tag,
    access: "viewer",
    rate: "api",
    sessionOnly: true,
    params,
    answer: capturedEmail,
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => ({
      status: 200,
      body: await getCapturedEmail(ctx, id),
    }),
  }),
  operation({
    method: "delete",
    path: "/v1/captured",
    name: "clearCapturedEmails",
    summary: "Empty the captured mailbox",
    description: "The emails' records stay.",
    tag,
    access: "editor",
    rate: "api",
    sessionOnly: true,
    successStatuses: [204],
    run: async (ctx) => {
      await clearCapturedEmails(ctx);
      return { status: 204 };
    },
  }),
  operation({
    method: "delete",
    path: "/v1/captured/{id}",
    name: "deleteCapturedEmail",
    summary: "Delete a captured message",
    description: "Its email's record stays.",
    tag,
    access: "editor",
    rate: "api",
    sessionOnly: true,
    params,
    successStatuses: [204],
    errors: ["NOT_FOUND"],
    run: async (ctx, { params: { id } }) => {
      await deleteCapturedEmail(ctx, id);
      return { status: 204 };
    },
  }),
] as const;
