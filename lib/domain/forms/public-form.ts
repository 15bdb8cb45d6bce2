import { and, eq, inArray, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import type { listFieldTypes } from "@/db/enums";
import { forms, lists, projects, topics } from "@/db/schema";
import type { ProjectBrand } from "@/lib/domain/opt-outs/schema";
import { brandColumns } from "@/lib/domain/opt-outs/brand";
import type { ListFieldRow } from "@/lib/domain/lists/field-values";
import { fieldRows } from "@/lib/domain/lists/lists";
import { decodeId } from "@/lib/ground/ids/ids";
import type { FormRow } from "./rows";
import type { FormQuestion } from "./schema";
import { corners, widths } from "./terms";

/** A question as visitors see it, with what its list field adds. */
export interface AskedQuestion extends FormQuestion {
  type: (typeof listFieldTypes)[number];
  /** Of a dropdown or checkboxes. */
  options: readonly string[];
}

type FormList = Pick<
  typeof lists.$inferSelect,
  "name" | "fromEmail" | "fromName" | "contact" | "confirmationTemplateId"
>;

/** A form as its visitors see it. Ids are uuids, except `publicId`. */
export interface PublicForm {
  publicId: string;
  row: FormRow;
  brand: ProjectBrand;
  /** What people sign up for: the list's name, else the project's. */
  subject: string;
  list: FormList | null;
  topics: readonly string[];
  questions: readonly AskedQuestion[];
  fields: readonly ListFieldRow[];
  /** Seconds since 1970 by the database's clock. */
  now: number;
}

function asked(question: FormQuestion, fields: readonly ListFieldRow[]): AskedQuestion | null {
  if (!question.key.startsWith("list.")) return { ...question, type: "text", options: [] };
  const field = fields.find(({ tag }) => `list.${tag}` === question.key);
  if (!field) return null;
  const required = question.required || field.required;
  return { ...question, required, type: field.type, options: field.options ?? [] };
}

/** With its list, topics and project; null: there is no such form. */
export async function findPublicForm(
  executor: Executor,
  publicId: string,
): Promise<PublicForm | null> {
  const uuid = decodeId("form", publicId);
  return uuid === null ? null : loadPublicForm(executor, uuid, publicId);
}

/** The same by uuid. */
export async function loadPublicForm(
  executor: Executor,
  uuid: string,
  publicId: string,
): Promise<PublicForm | null> {
  const [stored] = await executor
    .select({
      row: forms,
      brand: brandColumns,
      list: {
        name: lists.name,
        fromEmail: lists.fromEmail,
        fromName: lists.fromName,
        contact: lists.contact,
        confirmationTemplateId: lists.confirmationTemplateId,
      },
      now: sql<number>`extract(epoch from app_now())::int`,
    })
    .from(forms)
    .innerJoin(projects, eq(projects.id, forms.projectId))
    .leftJoin(lists, eq(lists.id, forms.listId))
    .where(eq(forms.id, uuid));
  if (!stored) return null;
  const { row, brand, list, now } = stored;
  const [fields, named] = await Promise.all([
    row.listId === null ? [] : fieldRows(executor, row.listId),
    row.topicIds.length === 0
      ? []
      : executor
          .select({ name: topics.name })
          .from(topics)
          .where(and(eq(topics.projectId, row.projectId), inArray(topics.id, row.topicIds)))
          .orderBy(sql`lower(${topics.name})`),
  ]);
  return describeForm({ publicId, row, brand, list, now, fields, topics: named });
}

/** Puts together everything that belongs to a form, including one that is still being edited. */
export function describeForm({
  list,
  fields,
  topics: named,
  ...rest
}: Pick<PublicForm, "publicId" | "row" | "brand" | "now"> & {
  list: FormList | null;
  fields: readonly ListFieldRow[];
  topics: readonly { name: string }[];
}): PublicForm {
  const { row, brand } = rest;
  return {
    ...rest,
    subject: list?.name ?? brand.project,
    list,
    topics: named.map(({ name }) => name),
    fields,
    questions: row.questions.flatMap((question) => asked(question, fields) ?? []),
  };
}

/** The look, with defaults for anything left out. */
export function lookOf({ row, brand }: Pick<PublicForm, "row" | "brand">) {
  const { color = null, corner = corners.usual, width = widths.usual, theme = "auto" } = row.look;
  return { color: color ?? brand.color, corner, width, theme };
}
