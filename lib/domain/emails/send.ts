import { changedBy } from "@/lib/domain/contacts/consent-changes";
import { and, eq, inArray } from "drizzle-orm";
import { templates } from "@/db/schema";
import { requireSend, type Context } from "@/lib/ground/context";
import { AppError, noSuch } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { domainOf } from "@/lib/mail/address";
import { checkContent } from "@/lib/mail/content/rendering";
import { validate } from "@/lib/ground/validate";
import { refusedSenderDomain, type Accepted, type AcceptMessage, type AcceptUnit } from "./accept";
import { acceptOnce } from "./accept-once";
import type { IdempotentRequest, Replayable } from "./idempotency";
import { databaseTime, normalizeSend, type NormalizedSend } from "./normalize";
import { unverifiedSender } from "./unverified-sender";
import {
  largestBatch,
  sendInput,
  type BatchAnswer,
  type SendAnswer,
  type SendInput,
} from "./send-schema";

/** What a request can say besides its content. */
export interface SendOptions {
  /** Present with an Idempotency-Key. */
  once?: Omit<IdempotentRequest, "projectId">;
  /** If false, subject and body go out as they are; a template is rendered all the same. */
  liquid?: boolean;
}

/**
 * Accepts one message to each of its recipients: all or nothing. Throws VALIDATION_ERROR, NOT_FOUND
 * (template), DOMAIN_NOT_VERIFIED, PAYMENT_REQUIRED, PAYLOAD_TOO_LARGE, CONFLICT (idempotency).
 */
export async function sendEmail(
  ctx: Context,
  input: SendInput,
  options: SendOptions = {},
): Promise<Replayable<SendAnswer>> {
  requireSend(ctx);
  return accept(ctx, [{ input, at: "" }], options, (accepted) => ({
    success: true,
    data: {
      emails: accepted.emails.map((email) => ({
        contact: { id: encodeId("contact", email.contactId), email: email.contactEmail },
        email: encodeId("email", email.emailId),
      })),
      timestamp: accepted.acceptedAt.toISOString(),
    },
  }));
}

/**
 * Accepts up to 100 different messages: all or nothing. `items` are not validated yet; an error names its place
 * (`emails[3].to`). Throws what sendEmail throws, and TOO_MANY_EMAILS.
 */
export async function sendBatch(
  ctx: Context,
  items: readonly unknown[],
  options: SendOptions = {},
): Promise<Replayable<BatchAnswer>> {
  requireSend(ctx);
  if (items.length > largestBatch) {
    throw new AppError(
      "TOO_MANY_EMAILS",
      `A batch holds at most ${largestBatch} emails; this one has ${items.length}.`,
    );
  }
  const inputs = items.map((item, index) => ({
    input: validate(sendInput, item, ["emails", index]),
    at: `emails[${index}].`,
  }));
  return accept(ctx, inputs, options, (accepted) => ({
    success: true,
    data: {
      results: accepted.emails.map((email) => ({
        index: email.index,
        contact: { id: encodeId("contact", email.contactId), email: email.contactEmail },
        email: encodeId("email", email.emailId),
      })),
      timestamp: accepted.acceptedAt.toISOString(),
    },
  }));
}

async function accept<Answer>(
  ctx: Context,
  inputs: { input: SendInput; at: string }[],
  { once, liquid = true }: SendOptions,
  toAnswer: (accepted: Accepted) => Answer,
): Promise<Replayable<Answer>> {
  let senders: [domain: string, path: string][] = [];
  const makeUnit = async (): Promise<AcceptUnit> => {
    const scheduled = inputs.some(
      ({ input }) => input.scheduledAt !== undefined || input.sendBefore !== undefined,
    );
    const now = scheduled ? await databaseTime(ctx.db) : new Date();
    const sends = inputs.map(({ input, at }) => ({
      send: normalizeSend(input, at, now),
      at,
      templateField: at + (input.templateId === undefined ? "template" : "templateId"),
    }));
    senders = sends.map(({ send, at }) => [domainOf(send.from.email), `${at}from`]);
    return {
      projectId: ctx.projectId,
      testMode: ctx.testMode,
      by: changedBy(ctx),
      messages: await withContent(ctx, sends, liquid),
    };
  };
  try {
    return await acceptOnce(ctx, once, makeUnit, toAnswer);
  } catch (error) {
    const domain = refusedSenderDomain(error);
    const sender = senders.find(([name]) => name === domain);
    throw sender ? await unverifiedSender(ctx.db, ctx.projectId, ...sender) : error;
  }
}

/** Fills in the content of templates and makes sure that all of it parses. */
async function withContent(
  ctx: Context,
  sends: { send: NormalizedSend; at: string; templateField: string }[],
  liquid: boolean,
): Promise<AcceptMessage[]> {
  const uuids = sends.map(({ send, templateField }) => {
    if (send.templateId === null) return null;
    const uuid = decodeId("template", send.templateId);
    if (!uuid) throw noSuch(templateField, "template");
    return uuid;
  });
  const wanted = [...new Set(uuids.filter((uuid) => uuid !== null))];
  const rows =
    wanted.length === 0
      ? []
      : await ctx.db
          .select()
          .from(templates)
          .where(and(eq(templates.projectId, ctx.projectId), inArray(templates.id, wanted)));
  const byId = new Map(rows.map((template) => [template.id, template]));
  const checks: Promise<void>[] = [];
  const messages = sends.map(({ send, at, templateField }, index): AcceptMessage => {
    const uuid = uuids[index] ?? null;
    const template = uuid ? byId.get(uuid) : undefined;
    if (uuid && !template) throw noSuch(templateField, "template");
    const content = template
      ? { subject: template.subject, html: template.body, text: null }
      : { subject: send.subject ?? "", html: send.html, text: send.text };
    if (!template && liquid) checks.push(checkContent(ctx.projectId, content, at));
    return {
      ...send,
      ...content,
      templateUuid: uuid,
      liquid: liquid || template !== undefined,
      source: "TRANSACTIONAL",
    };
  });
  await Promise.all(checks);
  return messages;
}
