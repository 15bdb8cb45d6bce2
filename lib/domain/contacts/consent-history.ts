import { and, desc, eq, inArray, lt } from "drizzle-orm";
import {
  apiKeys,
  consentChanges,
  consentTexts,
  contactImports,
  lists,
  topics,
  users,
} from "@/db/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page, PageQuery } from "@/lib/ground/paging/schema";
import { findContactRow } from "./contacts";
import type { SubscriptionChange } from "./schema";

const userOrigins = ["user", "platformToken"] as const;

interface Row {
  change: typeof consentChanges.$inferSelect;
  list: string | null;
  person: string | null;
  key: string | null;
  file: string | null;
  topic: string | null;
  text: string | null;
}

function toChange({ change, list, person, key, file, topic, text }: Row): SubscriptionChange {
  const { actorId, emailId, importId, listId, topicId, origin } = change;
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
    createdAt: change.createdAt.toISOString(),
  };
}

/**
 * Every change of the contact's subscription (id or address) and through whom, newest first. Throws
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
  const rows = await ctx.db
    .select({
      change: consentChanges,
      list: lists.name,
      person: users.email,
      key: apiKeys.name,
      file: contactImports.filename,
      topic: topics.name,
      text: consentTexts.text,
    })
    .from(consentChanges)
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
    .leftJoin(
      consentTexts,
      and(
        eq(consentTexts.projectId, consentChanges.projectId),
        eq(consentTexts.hash, consentChanges.textHash),
      ),
    )
    .where(
      and(
        eq(consentChanges.projectId, ctx.projectId),
        eq(consentChanges.contactId, contact.id),
        before ? lt(consentChanges.id, before) : undefined,
      ),
    )
    .orderBy(desc(consentChanges.id))
    .limit(query.limit + 1);
  return pageOf(rows, query.limit, toChange, ({ change }) => change.id);
}
