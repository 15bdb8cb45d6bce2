import { and, eq, ilike, inArray } from "drizzle-orm";
import type { Executor, Transaction } from "@/db/client";
import { forms, topics } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { containing } from "@/lib/ground/paging/like";
import { pageOf } from "@/lib/ground/paging/cursor";
import { inOrder } from "@/lib/ground/paging/order";
import type { Page } from "@/lib/ground/paging/schema";
import { listLanguages, matchLanguage } from "@/lib/ground/texts/texts";
import { lockProject } from "@/lib/ground/project-lock";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";
import { contactTags } from "@/lib/domain/lists/field-values";
import { fieldRows, findListRow } from "@/lib/domain/lists/lists";
import { chooseTemplates } from "@/lib/domain/own-mails/choose";
import { findFormRow, formSortKeys, selectForms, toForm, type FormRow } from "./rows";
import type { Form, FormInput, FormQuery, FormQuestion, FormUpdate } from "./schema";

/** A project has a form for each place where people sign up. */
const mostForms = 200;

/** The list's uuid, locked against deletion. Throws VALIDATION_ERROR when the project has no such list. */
async function listUuid(tx: Executor, ctx: Context, listId: string): Promise<string> {
  try {
    return (await findListRow(tx, ctx, listId, "update")).id;
  } catch {
    throw invalid("listId", "is not a list of this project");
  }
}

async function topicUuids(
  tx: Executor,
  ctx: Context,
  topicIds: readonly string[],
): Promise<string[]> {
  const uuids = topicIds.map((id) => decodeId("topic", id));
  const rows = await tx
    .select({ id: topics.id })
    .from(topics)
    .where(
      and(
        eq(topics.projectId, ctx.projectId),
        inArray(
          topics.id,
          uuids.filter((id) => id !== null),
        ),
      ),
    );
  const unknown = uuids.findIndex((uuid) => !rows.some(({ id }) => id === uuid));
  if (unknown !== -1) throw invalid(`topicIds[${unknown}]`, "is not a topic of this project");
  return [...new Set(rows.map(({ id }) => id))];
}

/** Throws VALIDATION_ERROR for a question about a field that the form's list does not have. */
async function checkQuestions(
  tx: Executor,
  listId: string | null,
  questions: readonly FormQuestion[],
): Promise<void> {
  const ofList = questions.filter(({ key }) => key.startsWith("list."));
  if (ofList.length === 0) return;
  const fields = listId === null ? [] : await fieldRows(tx, listId);
  const tags = fields.map(({ tag }) => tag).filter((tag) => !contactTags.includes(tag));
  for (const [index, { key }] of questions.entries()) {
    if (key.startsWith("list.") && !tags.includes(key.slice("list.".length))) {
      throw invalid(`questions[${index}].key`, "is not a field of the form's list");
    }
  }
}

/** The language's code. Throws VALIDATION_ERROR when forms are not available in it. */
function languageCode(language: string | null): string | null {
  const code = matchLanguage(language);
  if (language === null || code !== null) return code;
  const codes = listLanguages().map(({ code: offered }) => offered);
  throw invalid("language", `is not one of ${codes.join(", ")}`);
}

/** The columns that an input sets, checked against `before`. */
async function columnsOf(
  tx: Transaction,
  ctx: Context,
  { listId, topicIds, confirmationTemplateId, ...rest }: Partial<FormInput>,
  before: Pick<FormRow, "listId" | "questions">,
) {
  const list =
    listId === undefined ? before.listId : listId === null ? null : await listUuid(tx, ctx, listId);
  const questions = rest.questions ?? before.questions;
  await checkQuestions(tx, list, questions);
  return {
    ...rest,
    listId: list,
    ...(rest.language === undefined ? {} : { language: languageCode(rest.language) }),
    ...(await chooseTemplates(tx, ctx, { confirmationTemplateId })),
    ...(topicIds === undefined ? {} : { topicIds: await topicUuids(tx, ctx, topicIds) }),
  };
}

/** Newest first unless sorted otherwise. */
export async function listForms(ctx: Context, query: FormQuery): Promise<Page<Form>> {
  requireRole(ctx, "viewer");
  const { by, after, key, cursorOf } = inOrder(query, forms.id, formSortKeys);
  const { search, listId } = query;
  const list = listId === undefined ? undefined : decodeId("list", listId);
  if (list === null) throw invalid("listId", "is not the id of a list");
  const rows = await selectForms(ctx.db, key)
    .where(
      and(
        eq(forms.projectId, ctx.projectId),
        list === undefined ? undefined : eq(forms.listId, list),
        search ? ilike(forms.name, containing(search)) : undefined,
        after,
      ),
    )
    .orderBy(...by)
    .limit(query.limit + 1);
  return pageOf(rows, query.limit, toForm, ({ form, key: at }) =>
    cursorOf({ id: form.id, key: at }),
  );
}

/** Throws NOT_FOUND. */
export async function getForm(ctx: Context, id: string): Promise<Form> {
  requireRole(ctx, "viewer");
  return readForm(ctx.db, ctx, id);
}

async function readForm(executor: Executor, ctx: Context, id: string): Promise<Form> {
  const uuid = decodeId("form", id);
  const [row] = uuid
    ? await selectForms(executor).where(and(eq(forms.projectId, ctx.projectId), eq(forms.id, uuid)))
    : [];
  if (!row) throw notFound();
  return toForm(row);
}

/**
 * Throws VALIDATION_ERROR for a list, topic or list field that does not exist and for a confirmation template without
 * its link, NOT_FOUND for a template, CONFLICT when there are 200 forms. Needs editor.
 */
export async function createForm(ctx: Context, input: FormInput): Promise<Form> {
  requireRole(ctx, "editor");
  return ctx.db.transaction(async (tx) => {
    await lockProject(tx, ctx.projectId);
    if ((await tx.$count(forms, eq(forms.projectId, ctx.projectId))) >= mostForms) {
      throw new AppError("CONFLICT", `A project has at most ${mostForms} forms.`);
    }
    const columns = await columnsOf(tx, ctx, input, { listId: null, questions: [] });
    const { projectId } = ctx;
    const id = newId(projectId);
    await tx.insert(forms).values({ id, projectId, ...columns, name: input.name });
    const created = await readForm(tx, ctx, encodeId("form", id));
    await audit(tx, ctx, "create.form", created.id, { name: created.name });
    return created;
  });
}

/**
 * Changes only the fields that are present. Throws NOT_FOUND, VALIDATION_ERROR as above, CONFLICT when it was changed since
 * `basedOn`. Needs editor.
 */
export async function updateForm(ctx: Context, id: string, input: FormUpdate): Promise<Form> {
  requireRole(ctx, "editor");
  const { basedOn, ...changes } = input;
  return ctx.db.transaction(async (tx) => {
    const before = await findFormRow(tx, ctx, id, true);
    refuseStale(basedOn, before.updatedAt);
    await tx
      .update(forms)
      .set({
        ...(await columnsOf(tx, ctx, changes, before)),
        updatedAt: laterThan(forms.updatedAt),
      })
      .where(eq(forms.id, before.id));
    await audit(tx, ctx, "update.form", id, { fields: Object.keys(changes) });
    return readForm(tx, ctx, id);
  });
}

/**
 * Deletes its figures and unconfirmed sign-ups too; people who signed up through it stay. Throws NOT_FOUND. Needs
 * editor.
 */
export async function deleteForm(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "editor");
  await ctx.db.transaction(async (tx) => {
    const { id: uuid, name } = await findFormRow(tx, ctx, id, true);
    await tx.delete(forms).where(eq(forms.id, uuid));
    await audit(tx, ctx, "delete.form", id, { name });
  });
}
