import { and, asc, desc, eq, inArray, lt, or, gt } from "drizzle-orm";
import type { Executor } from "@/db/client";
import {
  apiKeys,
  consentChanges,
  consentTexts,
  contactImports,
  contacts,
  forms,
  lists,
  topics,
  users,
} from "@/db/schema";
import { personOf, recordsOf } from "@/lib/domain/contact-states/merged";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { csvStream } from "@/lib/ground/csv-stream";
import { exportRead } from "@/lib/ground/slow-reads";
import { encodeId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page, PageQuery } from "@/lib/ground/paging/schema";
import { findContactRow } from "./contacts";
import type { SubscriptionChange } from "./schema";

const userOrigins = ["user", "platformToken"] as const;

/** A change, with the names of what it is about. */
export interface ConsentChangeRow {
  change: typeof consentChanges.$inferSelect;
  list: string | null;
  person: string | null;
  key: string | null;
  file: string | null;
  topic: string | null;
  text: string | null;
  form: string | null;
}

export function toChange(row: ConsentChangeRow): SubscriptionChange {
  const { change, list, person, key, file, topic, text, form } = row;
  const { actorId, emailId, importId, formId, listId, topicId, origin } = change;
  const kind = origin === "apiKey" ? "apiKey" : "user";
  return {
    kind: change.kind,
    before: change.before,
    after: change.after,
    topic: topicId === null ? null : { id: encodeId("topic", topicId), name: topic },
    until: change.until?.toISOString() ?? null,
    reason: change.reason,
    comment: change.comment,
    text,
    ipAddress: change.ipAddress,
    userAgent: change.userAgent,
    list: listId === null ? null : { id: encodeId("list", listId), name: list },
    by: {
      type: origin,
      id: actorId === null ? null : encodeId(kind, actorId),
      name: person ?? key ?? (file || null),
    },
    emailId: emailId === null ? null : encodeId("email", emailId),
    importId: importId === null ? null : encodeId("import", importId),
    form: formId === null ? null : { id: encodeId("form", formId), name: form },
    createdAt: change.createdAt.toISOString(),
  };
}

/** Changes, with the names of the things they are about. */
const selectChanges = (db: Executor) =>
  db
    .select({
      change: consentChanges,
      email: contacts.email,
      list: lists.name,
      person: users.email,
      key: apiKeys.name,
      file: contactImports.filename,
      topic: topics.name,
      text: consentTexts.text,
      form: forms.name,
    })
    .from(consentChanges)
    .leftJoin(contacts, eq(contacts.id, personOf(consentChanges.contactId)))
    .leftJoin(lists, eq(lists.id, consentChanges.listId))
    .leftJoin(
      users,
      and(eq(users.id, consentChanges.actorId), inArray(consentChanges.origin, userOrigins)),
    )
    .leftJoin(
      apiKeys,
      and(eq(apiKeys.id, consentChanges.actorId), eq(consentChanges.origin, "apiKey")),
    )
    .leftJoin(contactImports, eq(contactImports.id, consentChanges.importId))
    .leftJoin(topics, eq(topics.id, consentChanges.topicId))
    .leftJoin(forms, eq(forms.id, consentChanges.formId))
    .leftJoin(
      consentTexts,
      and(
        eq(consentTexts.projectId, consentChanges.projectId),
        eq(consentTexts.hash, consentChanges.textHash),
      ),
    );

/**
 * Every change of the contact's subscription (id or address) and who made it, newest first. Throws
 * NOT_FOUND. Needs viewer.
 */
export async function listSubscriptionChanges(
  ctx: Context,
  id: string,
  query: PageQuery,
): Promise<Page<SubscriptionChange>> {
  requireRole(ctx, "viewer");
  const contact = await findContactRow(ctx.db, ctx, id);
  const before = readCursor(query.cursor);
  const { ids } = await recordsOf(ctx.db, contact);
  const rows = await selectChanges(ctx.db)
    .where(
      and(
        eq(consentChanges.projectId, ctx.projectId),
        inArray(consentChanges.contactId, ids),
        before ? lt(consentChanges.id, before) : undefined,
      ),
    )
    .orderBy(desc(consentChanges.id))
    .limit(query.limit + 1);
  return pageOf(rows, query.limit, toChange, ({ change }) => change.id);
}

/** A change as cells of a table; the same order as `changeColumns`. */
export const changeColumns = [
  ...["at", "kind", "before", "after", "list", "topic", "until", "reason", "comment", "through"],
  ...["throughName", "ipAddress", "userAgent", "emailId", "importId", "text"],
] as const;

export function changeCells(change: SubscriptionChange): string[] {
  const { kind, before, after, list, topic, until, reason, comment, by } = change;
  const { ipAddress, userAgent, emailId, importId, text, createdAt } = change;
  return [
    ...[createdAt, kind, before, after, list?.name ?? list?.id, topic?.name ?? topic?.id, until],
    ...[reason, comment, by.type, by.name, ipAddress, userAgent, emailId, importId, text],
  ].map((cell) => cell ?? "");
}

/** The whole history of the project as CSV, person by person, oldest change first. Needs viewer. */
export async function exportSubscriptionChanges(ctx: Context): Promise<ReadableStream<Uint8Array>> {
  requireRole(ctx, "viewer");
  await audit(ctx.db, ctx, "export.consent", null);
  return subscriptionChangesAsCsv(ctx);
}

/** The same as part of something that is recorded as a whole. */
export function subscriptionChangesAsCsv(ctx: Context): ReadableStream<Uint8Array> {
  const { contactId, id } = consentChanges;
  return csvStream<ConsentChangeRow & { email: string | null }>({
    header: ["email", "contactId", ...changeColumns],
    read: (last, limit) =>
      exportRead(ctx, (tx) =>
        selectChanges(tx)
          .where(
            and(
              eq(consentChanges.projectId, ctx.projectId),
              last
                ? or(
                    gt(contactId, last.change.contactId),
                    and(eq(contactId, last.change.contactId), gt(id, last.change.id)),
                  )
                : undefined,
            ),
          )
          .orderBy(asc(contactId), asc(id))
          .limit(limit),
      ),
    cells: (row) => [
      row.email ?? "",
      encodeId("contact", row.change.contactId),
      ...changeCells(toChange(row)),
    ],
  });
}
