import { z } from "zod";
import type { EmailEventName, EmailStatus, FailureReason } from "@/db/enums";
import { cursorAfterEmail, getEmail, listEmailRecords } from "@/lib/domain/emails/read";
import { cancelEmail, rescheduleEmail } from "@/lib/domain/emails/reschedule";
import type { EmailRecord } from "@/lib/domain/emails/schema";
import { largestBatch, sendInput } from "@/lib/domain/emails/send-schema";
import { sendBatch, sendEmail } from "@/lib/domain/emails/send";
import type { Context } from "@/lib/ground/context";
import { AppError, invalid } from "@/lib/ground/errors";
import { validate } from "@/lib/ground/validate";
import { attachmentsBodyLimit } from "@/lib/doors/http/surface/body";
import { idempotencyOf, replayable } from "@/lib/doors/http/surface/idempotent";
import { operation } from "@/lib/doors/http/surface/operation";
import { ok } from "./answers";
import { listOf, listQuery, toList, type ListQuery } from "./lists";
import { line, scheduled, sendBody, sendTerms, toSend } from "./send-body";
import { inTerms } from "./terms";

const tag = "Emails";
const params = z.object({ id: z.string() });
const sent = z.object({ id: z.string() });
const touched = z.object({ object: z.literal("email"), id: z.string() });
const nobody = z.array(z.string()).nullable();
const listed = z.object({
  id: z.string(),
  message_id: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  cc: nobody,
  bcc: nobody,
  reply_to: nobody,
  subject: z.string(),
  created_at: z.string(),
  scheduled_at: z.string().nullable(),
  last_event: z.string(),
});
const email = listed.extend({
  object: z.literal("email"),
  html: z.string().nullable(),
  text: z.string().nullable(),
  tags: z.array(z.object({ name: z.string(), value: z.string() })),
});

const statusWords = {
  PENDING: "queued",
  SENT: "sent",
  DELIVERED: "delivered",
  OPENED: "opened",
  CLICKED: "clicked",
  BOUNCED: "bounced",
  COMPLAINED: "complained",
  FAILED: "failed",
} as const satisfies Record<EmailStatus, string>;

const cancellations = new Set<unknown>([
  "cancelled",
  "campaign_cancelled",
] satisfies FailureReason[]);

function lastEvent({ status, scheduledAt, events }: EmailRecord): string {
  const has = (event: EmailEventName) => events.some(({ name }) => name === event);
  if (status === "PENDING") {
    if (scheduledAt !== null) return "scheduled";
    return has("deferred") ? "delivery_delayed" : "queued";
  }
  if (status !== "FAILED") return statusWords[status];
  if (has("suppressed")) return "suppressed";
  const isCancelled = events.some(({ data }) => cancellations.has(data["reasonCode"]));
  return isCancelled ? "canceled" : "failed";
}

function toListed(record: EmailRecord): z.infer<typeof listed> {
  const { from, fromName, contact } = record;
  return {
    id: record.id,
    message_id: record.messageId,
    from: fromName ? `${fromName} <${from}>` : from,
    to: contact ? [contact.email] : [],
    cc: null,
    bcc: null,
    reply_to: null,
    subject: record.subject,
    created_at: record.createdAt,
    scheduled_at: record.scheduledAt,
    last_event: lastEvent(record),
  };
}

async function listEmails(ctx: Context, { limit, after }: ListQuery) {
  const cursor = after === undefined ? {} : { cursor: await cursorAfterEmail(ctx, after, "after") };
  return toList(await listEmailRecords(ctx, { limit, ...cursor }), toListed);
}

/** Resend answers one id for each email asked for; ours has one for each recipient. */
function firstIds(results: readonly { index: number; email: string }[]): { id: string }[] {
  const first = new Map<number, string>();
  for (const { index, email: id } of results) if (!first.has(index)) first.set(index, id);
  return [...first.values()].map((id) => ({ id }));
}

function toBatch(items: readonly unknown[], headers: Headers): unknown[] {
  if (items.length > largestBatch) {
    throw new AppError("TOO_MANY_EMAILS", `A batch holds at most ${largestBatch} emails.`);
  }
  if ((headers.get("x-batch-validation") ?? "strict") !== "strict") {
    throw invalid("x-batch-validation", "must be strict: a batch is accepted whole or not at all");
  }
  return items.map((item, index) => toSend(validate(sendBody, item, [index]), `[${index}].`));
}

export const emailOperations = [
  operation({
    method: "post",
    path: "/emails",
    name: "sendEmail",
    summary: "Send an email",
    tag,
    access: "send",
    rate: "send",
    idempotent: true,
    body: sendBody,
    bodyLimit: attachmentsBodyLimit,
    answer: sent,
    successStatuses: [200],
    run: (ctx, input) =>
      inTerms(sendTerms, async () => {
        const options = { ...idempotencyOf("POST /resend/emails", input), liquid: false };
        const { result, replayed } = await sendEmail(
          ctx,
          validate(sendInput, toSend(input.body)),
          options,
        );
        return replayable({ result: { id: result.data.emails[0]?.email ?? "" }, replayed });
      }),
  }),
  operation({
    method: "post",
    path: "/emails/batch",
    name: "sendBatch",
    summary: "Send up to 100 different emails",
    tag,
    access: "send",
    rate: "send",
    idempotent: true,
    body: z
      .array(z.unknown())
      .min(1, "is empty")
      .max(10 * largestBatch),
    bodyLimit: attachmentsBodyLimit,
    answer: z.object({ data: z.array(sent) }),
    successStatuses: [200],
    run: (ctx, input) =>
      inTerms(sendTerms, async () => {
        const options = { ...idempotencyOf("POST /resend/emails/batch", input), liquid: false };
        const items = toBatch(input.body, input.headers);
        const { result, replayed } = await sendBatch(ctx, items, options);
        return replayable({ result: { data: firstIds(result.data.results) }, replayed });
      }),
  }),
  operation({
    method: "get",
    path: "/emails",
    name: "listEmails",
    summary: "List emails",
    tag,
    access: "viewer",
    rate: "api",
    query: listQuery,
    answer: listOf(listed),
    successStatuses: [200],
    run: async (ctx, { query }) => ({ status: 200, body: await listEmails(ctx, query) }),
  }),
  operation({
    method: "get",
    path: "/emails/{id}",
    name: "getEmail",
    summary: "Get an email",
    tag,
    access: "viewer",
    rate: "api",
    params,
    answer: email,
    successStatuses: [200],
    run: async (ctx, { params: { id } }) => {
      const record = await getEmail(ctx, id);
      const tags = Object.entries(record.metadata).map(([name, value]) => ({ name, value }));
      const content = { html: null, text: null, tags };
      return ok("email", { ...toListed(record), ...content });
    },
  }),
  operation({
    method: "patch",
    path: "/emails/{id}",
    name: "rescheduleEmail",
    summary: "Reschedule a waiting email",
    tag,
    access: "editor",
    rate: "api",
    params,
    body: z.strictObject({ scheduled_at: line }),
    answer: touched,
    successStatuses: [200],
    run: (ctx, { params: { id }, body }) =>
      inTerms(sendTerms, async () => {
        const scheduledAt = scheduled(body.scheduled_at) ?? "";
        await rescheduleEmail(ctx, id, { scheduledAt });
        return ok("email", { id });
      }),
  }),
  operation({
    method: "post",
    path: "/emails/{id}/cancel",
    name: "cancelEmail",
    summary: "Cancel a waiting email",
    tag,
    access: "editor",
    rate: "api",
    params,
    answer: touched,
    successStatuses: [200],
    run: async (ctx, { params: { id } }) => {
      await cancelEmail(ctx, id);
      return ok("email", { id });
    },
  }),
] as const;
