import { and, desc, eq, isNull, lt, sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { sqlState } from "@/db/errors";
import { bulkChanges, contacts } from "@/db/schema";
import { now } from "@/db/schema/columns";
import type { BulkAction } from "@/db/enums";
import type { AuditAction } from "@/db/audit-actions";
import { c } from "@/lib/domain/contact-states/contact-alias";
import type { ContactFilter } from "@/lib/domain/contacts/schema";
import { contactSelection } from "@/lib/domain/contacts/selection";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { pageOf, readCursor } from "@/lib/ground/paging/cursor";
import type { Page, PageQuery } from "@/lib/ground/paging/schema";
import { findReferences, formsNaming, segmentsNaming, subjectOf } from "./references";
import {
  isOfField,
  isOfFilter,
  isRename,
  type BulkChange,
  type BulkChangeInput,
  type BulkChangePreview,
} from "./schema";

type Row = typeof bulkChanges.$inferSelect;

const toBulkChange = (row: Row): BulkChange => ({
  id: encodeId("bulkChange", row.id),
  action: row.action,
  name: row.name,
  newName: row.newName,
  status: row.status,
  progress:
    row.status === "COMPLETED" ? 1 : row.total === 0 ? 0 : Math.min(1, row.processed / row.total),
  changed: row.changed,
  failureReason: row.failureReason,
  createdAt: row.createdAt.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
});

/** The condition on `contacts c` that they have the key or the tag. */
export const hasName = (action: BulkAction, name: string): SQL =>
  isOfField(action) ? sql`${c.data} ? ${name}::text` : sql`${c.tags} @> array[${name}]::text[]`;

/** Throws NOT_FOUND for the filter's segment. */
export async function bulkConditions(
  ctx: Context,
  { action, name }: Pick<BulkChangeInput, "action" | "name">,
  filter: ContactFilter | undefined,
): Promise<SQL[]> {
  if (!isOfFilter(action)) return [eq(c.projectId, ctx.projectId), hasName(action, name)];
  const { conditions } = await contactSelection(ctx, filter ?? {});
  const has = hasName(action, name);
  // A contact has a hundred tags at most.
  return [
    ...conditions,
    action === "untag" ? has : sql`not (${has}) and cardinality(${c.tags}) < 100`,
  ];
}

/** Whether contacts have the new name already. */
async function isTaken(
  executor: Executor,
  ctx: Context,
  { action, newName }: BulkChangeInput,
): Promise<boolean> {
  if (newName === undefined) return false;
  const [taken] = await executor.execute(sql`
    select 1 as one from ${contacts} c
    where ${c.projectId} = ${ctx.projectId} and ${hasName(action, newName)} limit 1`);
  return taken !== undefined;
}

/** Why the change is refused; null when it is not. */
async function refusalOf(
  executor: Executor,
  ctx: Context,
  { action, name, newName, merge }: BulkChangeInput,
  taken: boolean,
): Promise<string | null> {
  const [underWay] = await executor
    .select({ id: bulkChanges.id })
    .from(bulkChanges)
    .where(and(eq(bulkChanges.projectId, ctx.projectId), isNull(bulkChanges.finishedAt)));
  if (underWay) return alreadyUnderWay;
  const what = isOfField(action) ? "field" : "tag";
  if (taken && !merge) {
    return `Contacts have the ${what} ${newName} already. Set merge to put the two together.`;
  }
  if (action !== "remove_field" && action !== "remove_tag") return null;
  const subject = subjectOf({ action, name });
  const users = [
    ...(await segmentsNaming(executor, ctx.projectId, subject)).map(
      (one) => `the segment ${one.name}`,
    ),
    ...(await formsNaming(executor, ctx.projectId, subject)).map((one) => `the form ${one.name}`),
  ];
  return users.length === 0
    ? null
    : `The ${what} ${name} is used by ${users.slice(0, 5).join(", ")}${users.length > 5 ? " and others" : ""}. Take it out there first: without it, a filter would match other people.`;
}

const alreadyUnderWay =
  "Another change to all contacts of this project is under way. Wait until it has ended.";

/** What a change would touch, and whether it would be refused. Throws NOT_FOUND for the filter's segment. */
export async function previewBulkChange(
  ctx: Context,
  input: BulkChangeInput,
): Promise<BulkChangePreview> {
  requireRole(ctx, "viewer");
  const conditions = await bulkConditions(ctx, input, input.filter);
  const both = isRename(input.action) ? hasName(input.action, input.newName ?? "") : sql`false`;
  const [figures] = await ctx.db.execute<{ contacts: number; both: number }>(sql`
    select count(*)::int as contacts, (count(*) filter (where ${both}))::int as both
    from ${contacts} c where ${sql.join(conditions, sql` and `)}`);
  const references = isOfFilter(input.action)
    ? { segments: [], forms: [], templates: [], campaigns: [], imports: [] }
    : await findReferences(ctx.db, ctx.projectId, subjectOf(input));
  const taken = await isTaken(ctx.db, ctx, input);
  return {
    contacts: figures?.contacts ?? 0,
    both: figures?.both ?? 0,
    taken,
    ...references,
    refusal: await refusalOf(ctx.db, ctx, input, taken),
  };
}

const auditedAs: Record<BulkAction, AuditAction> = {
  rename_field: "rename.contactField",
  remove_field: "remove.contactField",
  rename_tag: "rename.contactTag",
  remove_tag: "remove.contactTag",
  tag: "tag.contacts",
  untag: "untag.contacts",
};

/**
 * Has a worker change every contact that the change is about; asked for again while it is under way, it is answered
 * with the one that is. Throws NOT_FOUND for the filter's segment; CONFLICT
 * while another change is under way, when a new name is taken, or when what is to be removed is in use. Needs editor.
 */
export async function startBulkChange(ctx: Context, input: BulkChangeInput): Promise<BulkChange> {
  requireRole(ctx, "editor");
  const { action, name, newName, filter } = input;
  // A segment that is not there is told now, and not by the worker.
  await bulkConditions(ctx, input, filter);
  try {
    return await ctx.db.transaction(async (tx) => {
      const [same] = await tx
        .select()
        .from(bulkChanges)
        .where(
          and(
            eq(bulkChanges.projectId, ctx.projectId),
            isNull(bulkChanges.finishedAt),
            eq(bulkChanges.action, action),
            eq(bulkChanges.name, name),
            sql`${bulkChanges.newName} is not distinct from ${newName ?? null}`,
            sql`${bulkChanges.filter} is not distinct from
              ${filter === undefined ? null : JSON.stringify(filter)}::jsonb`,
          ),
        );
      if (same) return toBulkChange(same);
      const refusal = await refusalOf(tx, ctx, input, await isTaken(tx, ctx, input));
      if (refusal) throw new AppError("CONFLICT", refusal);
      const [row] = await tx
        .insert(bulkChanges)
        .values({
          id: newId(ctx.projectId),
          projectId: ctx.projectId,
          action,
          name,
          newName: newName ?? null,
          filter: filter ?? null,
          stage: isRename(action) ? "copy" : "clear",
          dueAt: now,
        })
        .returning();
      if (!row) throw new Error("An insert returned no row.");
      const change = toBulkChange(row);
      await audit(tx, ctx, auditedAs[action], change.id, {
        name,
        ...(newName === undefined ? {} : { newName }),
      });
      return change;
    });
  } catch (error) {
    throw sqlState(error) === "23505" ? new AppError("CONFLICT", alreadyUnderWay) : error;
  }
}

/** The newest first. */
export async function listBulkChanges(ctx: Context, query: PageQuery): Promise<Page<BulkChange>> {
  requireRole(ctx, "viewer");
  const before = readCursor(query.cursor);
  const rows = await ctx.db
    .select()
    .from(bulkChanges)
    .where(
      and(
        eq(bulkChanges.projectId, ctx.projectId),
        before ? lt(bulkChanges.id, before) : undefined,
      ),
    )
    .orderBy(desc(bulkChanges.id))
    .limit(query.limit + 1);
  return pageOf(rows, query.limit, toBulkChange, (row) => row.id);
}

/** Throws NOT_FOUND. */
export async function getBulkChange(ctx: Context, id: string): Promise<BulkChange> {
  requireRole(ctx, "viewer");
  const uuid = decodeId("bulkChange", id);
  const [row] = uuid
    ? await ctx.db
        .select()
        .from(bulkChanges)
        .where(and(eq(bulkChanges.projectId, ctx.projectId), eq(bulkChanges.id, uuid)))
    : [];
  if (!row) throw notFound();
  return toBulkChange(row);
}
