import { and, eq, isNull, ne, sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { sqlState } from "@/db/errors";
import { bulkChanges, contacts, subscribers } from "@/db/schema";
import { now } from "@/db/schema/columns";
import type { BulkAction } from "@/db/enums";
import type { AuditAction } from "@/db/audit-actions";
import { tookTooLong } from "@/db/time-limit";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { mostTags } from "@/lib/domain/contacts/schema";
import { contactSelection } from "@/lib/domain/contacts/selection";
import { initialFields } from "@/lib/domain/lists/join-many";
import { findListRow } from "@/lib/domain/lists/lists";
import { byIds } from "@/lib/ground/by-id";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import { decodeId, newId } from "@/lib/ground/ids/ids";
import { forgetDeleted } from "@/lib/ground/updates/bring-back";
import { slowRead } from "@/lib/ground/slow-reads";
import { toBulkChange } from "./bulk-change-rows";
import { starterOf, storeChosen } from "./chosen";
import { findReferences, formsNaming, segmentsNaming, subjectOf } from "./references";
import type { BulkChange, BulkChangeInput, BulkChangePreview } from "./schema";
import { isOfChosen, isOfField, isRename } from "./terms";

/** Choosing the contacts locks nothing, but somebody waits for it. */
export const longestChoiceSeconds = 30;

/** The condition on `contacts c` that they have the key or the tag. */
export const hasName = (action: BulkAction, name: string): SQL =>
  isOfField(action) ? sql`${c.data} ? ${name}::text` : sql`${c.tags} @> array[${name}]::text[]`;

/** Whom a change of chosen contacts is about, as conditions on `contacts c`. Throws NOT_FOUND for the segment. */
async function chosenConditions(
  ctx: Context,
  { filter, contactIds }: Pick<BulkChangeInput, "filter" | "contactIds">,
): Promise<SQL[]> {
  if (!contactIds) return (await contactSelection(ctx, filter ?? {})).conditions;
  const uuids = contactIds.flatMap((id) => decodeId("contact", id) ?? []);
  return [byIds(c, ctx.projectId, uuids)];
}

/** Which of them it would change. */
function effect({ action, name, listId }: BulkChangeInput): SQL {
  const member = sql`exists (select from ${subscribers}
    where ${subscribers.contactId} = ${c.id}
      and (${subscribers.listId} = ${decodeId("list", listId ?? "")}::uuid) is true)`;
  switch (action) {
    case "tag":
      return sql`not (${hasName(action, name)}) and cardinality(${c.tags}) < ${mostTags}`;
    case "unsubscribe":
      return ne(c.consent, "unsubscribed");
    case "join_list":
      return sql`${ne(c.consent, "unsubscribed")} and not ${member}`;
    case "leave_list":
      return member;
    case "delete":
      return sql`true`;
    default:
      return hasName(action, name);
  }
}

/** Throws NOT_FOUND for the filter's segment. */
async function bulkConditions(ctx: Context, input: BulkChangeInput): Promise<SQL[]> {
  const whose = isOfChosen(input.action)
    ? await chosenConditions(ctx, input)
    : [eq(c.projectId, ctx.projectId)];
  return [...whose, effect(input)];
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

export const alreadyUnderWay =
  "Another change to the contacts of this project is under way. Wait until it has ended.";

/** How many it would change and how many of them have the new name, and whether anybody has. */
function countChanged(ctx: Context, input: BulkChangeInput, conditions: readonly SQL[]) {
  const both = isRename(input.action) ? hasName(input.action, input.newName ?? "") : sql`false`;
  return slowRead(ctx, longestChoiceSeconds, async (tx) => {
    const [figures] = await tx.execute<{ contacts: number; both: number }>(sql`
      select count(*)::int as contacts, (count(*) filter (where ${both}))::int as both
      from ${contacts} c where ${sql.join([...conditions], sql` and `)}`);
    const taken = await isTaken(tx, ctx, input);
    return { contacts: figures?.contacts ?? 0, both: figures?.both ?? 0, taken };
  });
}

/**
 * What a change would touch, and whether it would be refused. Throws NOT_FOUND for the filter's segment; CONFLICT when
 * finding out takes too long.
 */
export async function previewBulkChange(
  ctx: Context,
  input: BulkChangeInput,
): Promise<BulkChangePreview> {
  requireRole(ctx, "viewer");
  const conditions = await bulkConditions(ctx, input);
  try {
    const figures = await countChanged(ctx, input, conditions);
    const references = isOfChosen(input.action)
      ? { segments: [], forms: [], templates: [], savedBlocks: [], campaigns: [], imports: [] }
      : await findReferences(ctx, subjectOf(input));
    const refusal = await refusalOf(ctx.db, ctx, input, figures.taken);
    return { ...figures, ...references, refusal };
  } catch (error) {
    throw tookTooLong(error) ? new AppError("CONFLICT", tooSlow) : error;
  }
}

const auditedAs: Record<BulkAction, AuditAction> = {
  rename_field: "rename.contactField",
  remove_field: "remove.contactField",
  rename_tag: "rename.contactTag",
  remove_tag: "remove.contactTag",
  tag: "tag.contacts",
  untag: "untag.contacts",
  join_list: "addToList.contacts",
  leave_list: "removeFromList.contacts",
  unsubscribe: "unsubscribe.contacts",
  delete: "delete.contacts",
};

/**
 * Has a worker change every contact that the change is about; asked for again while it is under way, it is answered
 * with the one that is. Contacts chosen by a filter are those that match now. Throws NOT_FOUND for the list and the
 * filter's segment; CONFLICT while another change is under way, when a new name is taken, when what is to be removed
 * is in use, or when choosing takes too long. Needs editor.
 */
export async function startBulkChange(ctx: Context, input: BulkChangeInput): Promise<BulkChange> {
  requireRole(ctx, "editor");
  const { action, newName, filter, contactIds } = input;
  const list = input.listId === undefined ? null : await findListRow(ctx.db, ctx, input.listId);
  if (list && action === "join_list") await initialFields(ctx.db, list);
  const name = list?.name ?? input.name;
  const chosen = isOfChosen(action) ? await chosenConditions(ctx, input) : null;
  try {
    return await slowRead(ctx, longestChoiceSeconds, async (tx) => {
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
            sql`${bulkChanges.listId} is not distinct from ${list?.id ?? null}::uuid`,
            sql`${bulkChanges.filter} is not distinct from
              ${filter === undefined ? null : JSON.stringify(filter)}::jsonb`,
          ),
        );
      if (same && contactIds === undefined) return toBulkChange(same);
      const refusal = await refusalOf(tx, ctx, input, await isTaken(tx, ctx, input));
      if (refusal) throw new AppError("CONFLICT", refusal);
      if (!chosen) await forgetDeleted(tx, ctx.projectId);
      const id = newId(ctx.projectId);
      await tx.insert(bulkChanges).values({
        id,
        projectId: ctx.projectId,
        action,
        name,
        newName: newName ?? null,
        listId: list?.id ?? null,
        filter: filter ?? null,
        stage: isRename(action) ? "copy" : "clear",
        startedBy: chosen && starterOf(ctx),
        dueAt: now,
      });
      if (chosen) await storeChosen(tx, { id, action }, chosen);
      const [row] = await tx.select().from(bulkChanges).where(eq(bulkChanges.id, id));
      if (!row) throw new Error("An insert left no row.");
      const change = toBulkChange(row);
      await audit(tx, ctx, auditedAs[action], change.id, {
        name,
        ...(newName === undefined ? {} : { newName }),
        ...(chosen && { contacts: row.total }),
      });
      return change;
    });
  } catch (error) {
    if (tookTooLong(error)) throw new AppError("CONFLICT", tooSlow);
    throw sqlState(error) === "23505" ? new AppError("CONFLICT", alreadyUnderWay) : error;
  }
}

const tooSlow =
  "Finding everybody who matches took too long, and nothing was changed. Choose fewer, for instance by a segment.";
