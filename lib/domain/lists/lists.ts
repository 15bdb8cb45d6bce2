import { and, asc, eq, getTableColumns, ilike, inArray, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import type { SubscriberStatus } from "@/db/enums";
import { retryConflicts, violatedConstraint } from "@/db/errors";
import { listFields, listFigures, lists } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { chooseTemplates } from "@/lib/domain/own-mails/choose";
import { refuseWhileUsed } from "@/lib/domain/references/campaigns";
import { refuseWhileInForm } from "@/lib/domain/references/forms";
import { containing } from "@/lib/ground/paging/like";
import { requireRole, type Context } from "@/lib/ground/context";
import { invalid, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { pageOf } from "@/lib/ground/paging/cursor";
import { inOrder } from "@/lib/ground/paging/order";
import type { Page, PageQuery } from "@/lib/ground/paging/schema";
import { checkFieldValues, type ListFieldRow } from "./field-values";
import { countMembers, countedBefore, subscribedTo } from "./member-counts";
import { checkSender, senderAddress } from "./sender";
import type { ListFieldInput, ListInput, ListQuery, ListUpdate } from "./schema";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";

export interface ListField {
  /** The platform surface shows it as the field's uid. */
  id: string;
  tag: string;
  label: string;
  type: ListFieldRow["type"];
  defaultValue: string | null;
  options: string[] | null;
  visible: boolean;
  required: boolean;
  createdAt: string;
  updatedAt: string;
}

type ListRow = typeof lists.$inferSelect;

/** A mailing list. Times are ISO 8601. */
export interface List extends Omit<ListRow, "projectId" | "createdAt" | "updatedAt"> {
  createdAt: string;
  updatedAt: string;
}

const defaultFields = [
  { tag: "EMAIL", label: "Email", type: "text", required: true },
  { tag: "FIRST_NAME", label: "First name", type: "text", required: false },
  { tag: "LAST_NAME", label: "Last name", type: "text", required: false },
] as const;

/** Of a list. Their values have no more than 64 kB together. */
const mostFields = 1_000;

const templateId = (uuid: string | null) => uuid && encodeId("template", uuid);

function toList({ projectId: _, ...row }: ListRow): List {
  return {
    ...row,
    id: encodeId("list", row.id),
    fromEmail: senderAddress(row.fromEmail),
    confirmationTemplateId: templateId(row.confirmationTemplateId),
    welcomeTemplateId: templateId(row.welcomeTemplateId),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function toField(row: ListFieldRow): ListField {
  const { id, tag, label, type, defaultValue, options, visible, required } = row;
  return {
    id: encodeId("listField", id),
    ...{ tag, label, type, defaultValue, options, visible, required },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** The project's list by wire id; throws NOT_FOUND. */
export async function findListRow(
  executor: Executor,
  ctx: Context,
  id: string,
  lock?: "update" | "key share",
): Promise<ListRow> {
  const uuid = decodeId("list", id);
  if (!uuid) throw notFound();
  const query = executor
    .select()
    .from(lists)
    .where(and(eq(lists.projectId, ctx.projectId), eq(lists.id, uuid)));
  const [row] = await (lock ? query.for(lock) : query);
  if (!row) throw notFound();
  return row;
}

/** In the order they were created. */
export function fieldRows(executor: Executor, listId: string): Promise<ListFieldRow[]> {
  return executor
    .select()
    .from(listFields)
    .where(eq(listFields.listId, listId))
    .orderBy(asc(listFields.position));
}

/** The tags of lists' fields in order, by the list's wire id; none for a list that is not the project's. */
export async function listFieldTags(
  ctx: Context,
  listIds: readonly string[],
): Promise<(listId: string) => readonly string[]> {
  requireRole(ctx, "viewer");
  const uuids = listIds.flatMap((id) => decodeId("list", id) ?? []);
  const rows = await ctx.db
    .select({ listId: listFields.listId, tag: listFields.tag })
    .from(listFields)
    .where(and(eq(listFields.projectId, ctx.projectId), inArray(listFields.listId, uuids)))
    .orderBy(asc(listFields.position));
  const byList = Map.groupBy(rows, ({ listId }) => encodeId("list", listId));
  return (listId) => (byList.get(listId) ?? []).map(({ tag }) => tag);
}

/**
 * The integer that the platform surface shows beside a list's id: 31 random bits of it, so that no two
 * databases count the same.
 */
const listNumber = (uuid: string) => parseInt(uuid.slice(-8), 16) & 0x7fffffff;

/**
 * With the fields EMAIL, FIRST_NAME and LAST_NAME. Throws VALIDATION_ERROR for a person's sender at a domain
 * that is not verified and for a confirmation template without its link, NOT_FOUND for a template. Needs editor.
 */
export async function createList(ctx: Context, input: ListInput): Promise<List> {
  requireRole(ctx, "editor");
  return ctx.db.transaction(async (tx) => {
    const fromEmail = senderAddress(input.fromEmail);
    await checkSender(tx, ctx, fromEmail);
    const id = newId(ctx.projectId);
    const [row] = await tx
      .insert(lists)
      .values({
        ...input,
        ...(await chooseTemplates(tx, ctx, input)),
        ...{ id, number: listNumber(id), projectId: ctx.projectId, fromEmail },
      })
      .returning();
    if (!row) throw new Error("An insert returned no row.");
    // From its first member on, a trigger counts them.
    await tx
      .insert(listFigures)
      .values({ listId: row.id, status: "subscribed", slot: countedBefore, members: 0 });
    await tx.insert(listFields).values(
      defaultFields.map((field, position) => ({
        ...field,
        position,
        listId: row.id,
        id: newId(ctx.projectId),
        projectId: ctx.projectId,
      })),
    );
    const list = toList(row);
    await audit(tx, ctx, "create.list", list.id, { name: list.name });
    return list;
  });
}

/** Newest first unless sorted otherwise. */
export async function listLists(
  ctx: Context,
  query: PageQuery & Pick<ListQuery, "search" | "sort">,
): Promise<Page<List>> {
  requireRole(ctx, "viewer");
  const { by, after, key, cursorOf } = inOrder(query, lists.id, {
    name: { value: sql`lower(${lists.name})`, as: "text" },
    subscribed: { value: subscribedTo(sql`${lists.id}`), as: "number" },
  });
  const rows = await ctx.db
    .select({ ...getTableColumns(lists), key })
    .from(lists)
    .where(
      and(
        eq(lists.projectId, ctx.projectId),
        query.search ? ilike(lists.name, containing(query.search)) : undefined,
        after,
      ),
    )
    .orderBy(...by)
    .limit(query.limit + 1);
  return pageOf(rows, query.limit, ({ key: _, ...row }) => toList(row), cursorOf);
}

/** With its fields and how many members it has by status. Throws NOT_FOUND. */
export async function getList(
  ctx: Context,
  id: string,
): Promise<List & { fields: ListField[]; members: Record<SubscriberStatus, number> }> {
  requireRole(ctx, "viewer");
  const row = await findListRow(ctx.db, ctx, id);
  const [fields, members] = await Promise.all([
    fieldRows(ctx.db, row.id),
    countMembers(ctx.db, [row.id]),
  ]);
  return { ...toList(row), fields: fields.map(toField), members: members(row.id) };
}

/**
 * Changes what is given. Throws NOT_FOUND, VALIDATION_ERROR for a person's sender as above, CONFLICT when it
 * was changed since `basedOn`. Needs editor.
 */
export async function updateList(ctx: Context, id: string, input: ListUpdate): Promise<List> {
  requireRole(ctx, "editor");
  const { basedOn, ...changes } = input;
  if (changes.fromEmail !== undefined) changes.fromEmail = senderAddress(changes.fromEmail);
  return ctx.db.transaction(async (tx) => {
    const before = await findListRow(tx, ctx, id, "update");
    refuseStale(basedOn, before.updatedAt);
    // A sender that a program set stays while other things are changed.
    const { fromEmail } = changes;
    if (fromEmail !== undefined && fromEmail !== senderAddress(before.fromEmail)) {
      await checkSender(tx, ctx, fromEmail);
    }
    const [row] = await tx
      .update(lists)
      .set({
        ...changes,
        ...(await chooseTemplates(tx, ctx, changes)),
        updatedAt: laterThan(lists.updatedAt),
      })
      .where(eq(lists.id, before.id))
      .returning();
    if (!row) throw notFound();
    await audit(tx, ctx, "update.list", id, { fields: Object.keys(changes) });
    return toList(row);
  });
}

/**
 * Its memberships are deleted too; contacts stay, and so do campaigns that went to it. Throws NOT_FOUND;
 * CONFLICT while a campaign to it is scheduled, sending or paused. Needs editor.
 */
export async function deleteList(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  // Members who change at that moment wait for it to be counted, and it for them.
  await retryConflicts(() =>
    ctx.db.transaction(async (tx) => {
      const row = await findListRow(tx, ctx, id, "update");
      await refuseWhileUsed(tx, ctx.projectId, "list", row.id);
      await refuseWhileInForm(tx, row.id);
      await tx.delete(lists).where(eq(lists.id, row.id));
      await audit(tx, ctx, "delete.list", encodeId("list", row.id), { name: row.name });
    }),
  );
}

/**
 * Throws NOT_FOUND; VALIDATION_ERROR for a tag that the list already has, for one too many, and for a default that is
 * not of the type. Needs editor.
 */
export async function addListField(
  ctx: Context,
  listId: string,
  input: ListFieldInput,
): Promise<ListField> {
  requireRole(ctx, "editor");
  try {
    return await ctx.db.transaction(async (tx) => {
      const list = await findListRow(tx, ctx, listId, "update");
      const present = await fieldRows(tx, list.id);
      if (present.length >= mostFields) {
        throw invalid(
          "tag",
          `would be one more than the ${mostFields} fields that a list can have`,
        );
      }
      const [row] = await tx
        .insert(listFields)
        .values({
          ...input,
          position: (present.at(-1)?.position ?? -1) + 1,
          listId: list.id,
          id: newId(ctx.projectId),
          projectId: ctx.projectId,
        })
        .returning();
      if (!row) throw new Error("An insert returned no row.");
      if (row.defaultValue) checkFieldValues([row], { [row.tag]: row.defaultValue }, false);
      await audit(tx, ctx, "create.listField", encodeId("list", list.id), { tag: row.tag });
      return toField(row);
    });
  } catch (error) {
    if (violatedConstraint(error) === "list_fields_tag") {
      throw invalid("tag", "is already a field of this list");
    }
    throw error;
  }
}
