import { and, asc, desc, eq, ilike, lt, or, sql, type SQL } from "drizzle-orm";
import { c } from "@/lib/domain/contact-states/contact-alias";
import {
  contacts,
  emails,
  inboundEmails,
  inboundReplies,
  webhookDeliveries,
  webhooks,
} from "@/db/schema";
import { byId } from "@/lib/ground/by-id";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { invalid, notFound } from "@/lib/ground/errors";
import { eraseDeliveries } from "@/lib/ground/events/erase-deliveries";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import { withinDates } from "@/lib/ground/paging/date-bounds";
import { containing } from "@/lib/ground/paging/like";
import type { Page } from "@/lib/ground/paging/schema";
import { fileOfMail, viewWholeMail } from "@/lib/mail/incoming/incoming";
import type { AttachedFile } from "@/lib/mail/message/message-view";
import { linked, withRaw } from "./attachment-links";
import type { InboundEmail, InboundQuery, InboundSummary } from "./schema";

const previewLength = 200;

const rowColumns = {
  id: inboundEmails.id,
  projectId: inboundEmails.projectId,
  envelopeFrom: inboundEmails.envelopeFrom,
  recipients: inboundEmails.recipients,
  fromEmail: inboundEmails.fromEmail,
  fromName: inboundEmails.fromName,
  subject: inboundEmails.subject,
  headerId: inboundEmails.headerId,
  inReplyTo: inboundEmails.inReplyTo,
  references: inboundEmails.references,
  emailId: inboundEmails.emailId,
  automatic: inboundEmails.automatic,
  checks: inboundEmails.checks,
  attachments: inboundEmails.attachments,
  routePatterns: inboundEmails.routePatterns,
  size: inboundEmails.size,
  createdAt: inboundEmails.createdAt,
  preview: sql<string>`left(${inboundEmails.text}, ${sql.raw(String(previewLength * 2))})`,
  contactId: contacts.id,
  contactEmail: contacts.email,
};

function readRows(ctx: Context, conditions: (SQL | undefined)[]) {
  return ctx.db
    .select(rowColumns)
    .from(inboundEmails)
    .leftJoin(contacts, eq(contacts.id, inboundEmails.contactId))
    .where(and(eq(inboundEmails.projectId, ctx.projectId), ...conditions));
}

export type InboundRow = Awaited<ReturnType<typeof readRows>>[number];

function toSummary(row: InboundRow): InboundSummary {
  return {
    id: encodeId("inbound", row.id),
    from: { email: row.fromEmail, name: row.fromName },
    to: row.recipients,
    subject: row.subject,
    preview: row.preview.replace(/\s+/g, " ").trim().slice(0, previewLength),
    emailId: row.emailId && encodeId("email", row.emailId),
    contact:
      row.contactId && row.contactEmail
        ? { id: encodeId("contact", row.contactId), email: row.contactEmail }
        : null,
    automatic: row.automatic,
    authentic: row.checks.dmarc.result === "pass",
    forged: row.checks.dmarc.result === "fail",
    attachmentCount: row.attachments.length,
    size: row.size,
    createdAt: row.createdAt.toISOString(),
  };
}

/** Mail that came in, newest first. */
export async function listInbound(
  ctx: Context,
  query: InboundQuery,
): Promise<Page<InboundSummary>> {
  requireRole(ctx, "viewer");
  const before = readCursor(query.cursor);
  const conditions: (SQL | undefined)[] = [
    ...withinDates(sql`${inboundEmails.createdAt}`, query),
    before ? lt(inboundEmails.id, before) : undefined,
  ];
  if (query.search) {
    const part = containing(query.search);
    conditions.push(
      or(
        ilike(inboundEmails.fromEmail, part),
        ilike(inboundEmails.fromName, part),
        ilike(inboundEmails.subject, part),
        sql`array_to_string(${inboundEmails.recipients}, ' ') ilike ${part}`,
      ),
    );
  }
  if (query.contactId !== undefined) {
    const contactId = decodeId("contact", query.contactId);
    if (contactId === null) throw invalid("contactId", "is not the id of a contact");
    // Somebody who became a contact only after they wrote is recognised by the address.
    conditions.push(sql`(${inboundEmails.contactId} = ${contactId}
      or lower(${inboundEmails.fromEmail}) = (
        select lower(${c.email}) from ${contacts} ${c}
        where ${byId(c, ctx.projectId, contactId)}))`);
  }
  if (query.emailId !== undefined) {
    const emailId = decodeId("email", query.emailId);
    if (emailId === null) throw invalid("emailId", "is not the id of an email");
    conditions.push(eq(inboundEmails.emailId, emailId));
  }
  const rows = await readRows(ctx, conditions)
    .orderBy(desc(inboundEmails.id))
    .limit(query.limit + 1);
  return pageOf(rows, query.limit, toSummary, ({ id }) => id);
}

/** Throws NOT_FOUND. */
export async function inboundRow(ctx: Context, id: string): Promise<InboundRow> {
  const uuid = decodeId("inbound", id);
  if (!uuid) throw notFound();
  const [row] = await readRows(ctx, [eq(inboundEmails.id, uuid)]);
  if (!row) throw notFound();
  return row;
}

function readDeliveries(ctx: Context, { id }: InboundRow) {
  return ctx.db
    .select({
      id: webhookDeliveries.id,
      webhookId: webhooks.id,
      url: webhooks.url,
      status: webhookDeliveries.status,
    })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(and(eq(webhookDeliveries.projectId, ctx.projectId), eq(webhookDeliveries.subjectId, id)))
    .orderBy(asc(webhookDeliveries.id));
}

function readReplies(ctx: Context, { id }: InboundRow) {
  return ctx.db
    .select({
      emailId: emails.id,
      status: emails.status,
      createdAt: inboundReplies.createdAt,
    })
    .from(inboundReplies)
    .innerJoin(emails, byId(emails, ctx.projectId, inboundReplies.emailId))
    .where(eq(inboundReplies.inboundId, id))
    .orderBy(asc(inboundReplies.createdAt));
}

/** One mail, with what it says and what became of it. Throws NOT_FOUND. */
export async function getInbound(ctx: Context, id: string): Promise<InboundEmail> {
  requireRole(ctx, "viewer");
  const row = await inboundRow(ctx, id);
  const [view, deliveries, replies] = await Promise.all([
    withRaw(ctx.db, row, (raw) => viewWholeMail(ctx.projectId, raw)),
    readDeliveries(ctx, row),
    readReplies(ctx, row),
  ]);
  if (!view) throw notFound();
  return {
    ...toSummary(row),
    messageId: row.headerId,
    inReplyTo: row.inReplyTo,
    references: row.references,
    replyTo: view.replyTo,
    envelopeFrom: row.envelopeFrom,
    checks: row.checks,
    text: view.text,
    html: view.html,
    headers: view.headers,
    raw: view.raw,
    attachments: linked(row.id, row.attachments),
    routes: row.routePatterns,
    deliveries: deliveries.map((delivery) => ({
      ...delivery,
      id: encodeId("delivery", delivery.id),
      webhookId: encodeId("webhook", delivery.webhookId),
    })),
    replies: replies.map(({ emailId, status, createdAt }) => ({
      emailId: encodeId("email", emailId),
      status,
      createdAt: createdAt.toISOString(),
    })),
  };
}

/** A file that came with a mail. Throws NOT_FOUND. */
export async function getInboundAttachment(
  ctx: Context,
  id: string,
  position: number,
): Promise<AttachedFile> {
  requireRole(ctx, "viewer");
  const row = await inboundRow(ctx, id);
  const file = await withRaw(ctx.db, row, (raw) => fileOfMail(ctx.projectId, raw, position));
  if (!file) throw notFound();
  return file;
}

/** Deletes a mail for good, with its files. Throws NOT_FOUND. Needs editor. */
export async function deleteInbound(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  const uuid = decodeId("inbound", id);
  if (!uuid) throw notFound();
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .delete(inboundEmails)
      .where(byId(inboundEmails, ctx.projectId, uuid))
      .returning({ id: inboundEmails.id });
    if (!row) throw notFound();
    await eraseDeliveries(tx, sql`array[${row.id}::uuid]`);
    await audit(tx, ctx, "delete.inboundEmail", id);
  });
}
