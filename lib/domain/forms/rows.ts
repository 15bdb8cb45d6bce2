import { and, eq, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { formFigures, forms, lists } from "@/db/schema";
import type { Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import type { SortKey } from "@/lib/ground/paging/order";
import { appUrls } from "@/lib/mail/tracking/urls";
import type { Form } from "./schema";

export type FormRow = typeof forms.$inferSelect;

const figures = sql<Form["figures"]>`(
  select jsonb_build_object('seen', coalesce(sum(${formFigures.seen}), 0),
    'sent', coalesce(sum(${formFigures.sent}), 0),
    'confirmed', coalesce(sum(${formFigures.confirmed}), 0),
    'refused', coalesce(sum(${formFigures.refused}), 0))
  from ${formFigures} where ${formFigures.formId} = ${forms.id})`;

/** What forms can be sorted by. */
export const formSortKeys: Readonly<Record<string, SortKey>> = {
  name: { value: sql`lower(${forms.name})`, as: "text" },
  confirmed: {
    value: sql`(select coalesce(sum(${formFigures.confirmed}), 0)::bigint
      from ${formFigures} where ${formFigures.formId} = ${forms.id})`,
    as: "number",
  },
};

/** Forms with their figures; the caller says which, and in what order. */
export const selectForms = (executor: Executor, key = sql<string>`''`) =>
  executor
    .select({ form: forms, figures, listName: lists.name, key })
    .from(forms)
    .leftJoin(lists, eq(lists.id, forms.listId));
export type FormWithFigures = Awaited<ReturnType<typeof selectForms>>[number];

export function toForm({ form, figures: total, listName }: Omit<FormWithFigures, "key">): Form {
  const id = encodeId("form", form.id);
  const { name, open, questions, texts, look, thanksUrl, doubleOptIn } = form;
  const { proofOfWork, language } = form;
  return {
    id,
    ...{ name, open, questions, texts, look, thanksUrl, doubleOptIn },
    ...{ proofOfWork, language, listName },
    url: appUrls.form(id),
    listId: form.listId === null ? null : encodeId("list", form.listId),
    confirmationTemplateId:
      form.confirmationTemplateId && encodeId("template", form.confirmationTemplateId),
    topicIds: form.topicIds.map((topicId) => encodeId("topic", topicId)),
    figures: total,
    createdAt: form.createdAt.toISOString(),
    updatedAt: form.updatedAt.toISOString(),
  };
}

/** The project's form by wire id; throws NOT_FOUND. */
export async function findFormRow(
  executor: Executor,
  ctx: Context,
  id: string,
  lock = false,
): Promise<FormRow> {
  const uuid = decodeId("form", id);
  if (!uuid) throw notFound();
  const query = executor
    .select()
    .from(forms)
    .where(and(eq(forms.projectId, ctx.projectId), eq(forms.id, uuid)));
  const [row] = await (lock ? query.for("update") : query);
  if (!row) throw notFound();
  return row;
}
