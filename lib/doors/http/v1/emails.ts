import { z } from "zod";
import type { Context } from "@/lib/ground/context";
import { getEmail, listEmails } from "@/lib/domain/emails/read";
import { cancelEmail, rescheduleEmail } from "@/lib/domain/emails/reschedule";
import { logQuery } from "@/lib/domain/emails/log-schema";
import { emailPage, emailQuery, emailRecord, rescheduleInput } from "@/lib/domain/emails/schema";
import { batchAnswer, batchInput, sendAnswer, sendInput } from "@/lib/domain/emails/send-schema";
import { sendBatch, sendEmail } from "@/lib/domain/emails/send";
import { attachmentsBodyLimit } from "@/lib/doors/http/surface/body";
import { idempotencyOf, replayable } from "@/lib/doors/http/surface/idempotent";
import { operation } from "@/lib/doors/http/surface/operation";
import { emailExample, emailSummaryExample, sendExamples } from "./examples";
import { idParam } from "./parameters";

const params = z.object({ id: idParam("email", emailExample.id) });
const oneEmail = z.object({ email: emailRecord }).meta({ id: "EmailAnswer" });

const oneRecord = async (ctx: Context, id: string) => ({
  status: 200 as const,
  body: { email: await getEmail(ctx, id) },
});

export const emailOperations = [
  operation({
    method: "post",
    path: "/v1/send",
    name: "sendEmail",
    summary: "Send an email",
    description:
      "One message to up to 100 recipients, each with an email record of its own. All or nothing.",
    tag: "Send",
    access: "send",
    rate: "send",
    idempotent: true,
    body: sendInput,
    bodyLimit: attachmentsBodyLimit,
    bodyExamples: sendExamples,
    answer: sendAnswer,
    answerExample: {
      success: true,
      data: {
        emails: [{ contact: emailExample.contact, email: emailExample.id }],
        timestamp: "2026-11-21T09:30:00.000Z",
      },
    },
    successStatuses: [200],
    errors: ["DOMAIN_NOT_VERIFIED", "NOT_FOUND", "PAYMENT_REQUIRED", "CONFLICT"],
    run: async (ctx, input) =>
      replayable(await sendEmail(ctx, input.body, idempotencyOf("POST /v1/send", input))),
  }),
  operation({
    method: "post",
    path: "/v1/emails/batch",
    aliases: ["/v1/batch"],
    name: "sendBatch",
    summary: "Send up to 100 different emails",
    description: "Each item takes the fields of POST /v1/send. All or nothing.",
    tag: "Send",
    access: "send",
    rate: "send",
    idempotent: true,
    body: batchInput,
    bodyLimit: attachmentsBodyLimit,
    bodyExamples: {
      two: {
        summary: "Two messages",
        value: { emails: [sendExamples.simple.value, sendExamples.variables.value] },
      },
    },
    answer: batchAnswer,
    answerExample: {
      success: true,
      data: {
        results: [{ index: 0, contact: emailExample.contact, email: emailExample.id }],
        timestamp: "2026-11-21T09:30:00.000Z",
      },
    },
    successStatuses: [200],
    errors: ["TOO_MANY_EMAILS", "DOMAIN_NOT_VERIFIED", "NOT_FOUND", "PAYMENT_REQUIRED", "CONFLICT"],
    run: async (ctx, input) => {
      const items = Array.isArray(input.body) ? input.body : input.body.emails;
      return replayable(await sendBatch(ctx, items, idempotencyOf("POST /v1/emails/batch", input)));
    },
  }),
  operation({
    method: "get",
    path: "/v1/emails",
    name: "listEmails",
    summary: "List emails",
    description: "Newest first.",
    tag: "Emails",
    access: "viewer",
    rate: "api",
    query: emailQuery,
    sessionQuery: logQuery,
    answer: emailPage,
    answerExample: { data: [emailSummaryExample] },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: async (ctx, { query }) => ({ status: 200, body: await listEmails(ctx, query) }),
  }),
  operation({
    method: "get",
    path: "/v1/emails/{id}",
    name: "getEmail",
    summary: "Get an email",
    description: "The record with its events, oldest first.",
    tag: "Emails",
    access: "viewer",
    rate: "api",
    params,
    answer: oneEmail,
    answerExample: { email: emailExample },
    successStatuses: [200],
    errors: ["NOT_FOUND"],
    run: (ctx, { params: { id } }) => oneRecord(ctx, id),
  }),
  operation({
    method: "patch",
    path: "/v1/emails/{id}",
    name: "rescheduleEmail",
    summary: "Reschedule a waiting email",
    tag: "Emails",
    access: "editor",
    rate: "api",
    params,
    body: rescheduleInput,
    bodyExamples: {
      later: { summary: "Another time", value: { scheduledAt: "2026-11-24T08:00:00Z" } },
    },
    answer: oneEmail,
    answerExample: { email: emailExample },
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id }, body }) => {
      await rescheduleEmail(ctx, id, body);
      return oneRecord(ctx, id);
    },
  }),
  operation({
    method: "post",
    path: "/v1/emails/{id}/cancel",
    name: "cancelEmail",
    summary: "Cancel a waiting email",
    description: "It ends as FAILED, with an event that says so.",
    tag: "Emails",
    access: "editor",
    rate: "api",
    params,
    answer: oneEmail,
    answerExample: { email: { ...emailExample, status: "FAILED" } },
    successStatuses: [200],
    errors: ["NOT_FOUND", "CONFLICT"],
    run: async (ctx, { params: { id } }) => {
      await cancelEmail(ctx, id);
      return oneRecord(ctx, id);
    },
  }),
] as const;
