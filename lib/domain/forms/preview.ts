import { and, eq, inArray } from "drizzle-orm";
import { projects, topics } from "@/db/schema";
import { brandColumns } from "@/lib/domain/opt-outs/brand";
import { fieldRows, findListRow } from "@/lib/domain/lists/lists";
import { requireRole, type Context } from "@/lib/ground/context";
import { notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { textsFor } from "@/lib/ground/texts/texts";
import { snippetOf } from "./markup";
import { describeForm, findPublicForm, type PublicForm } from "./public-form";
import { findFormRow } from "./rows";
import type { FormInput, FormMarkup } from "./schema";

/** In the form's own language, else in `language` (BCP 47), else in the project's. */
export const snippetIn = (form: PublicForm, language: string | undefined): string =>
  snippetOf(form, textsFor(form.row.language, language, form.brand.language));

/** The form as HTML to paste into a page. Throws NOT_FOUND. */
export async function getFormMarkup(
  ctx: Context,
  id: string,
  { language }: { language?: string | undefined },
): Promise<FormMarkup> {
  requireRole(ctx, "viewer");
  await findFormRow(ctx.db, ctx, id);
  const form = await findPublicForm(ctx.db, id);
  if (!form) throw notFound();
  const html = snippetIn(form, language);
  return { html, bytes: Buffer.byteLength(html) };
}

/** A form that is being edited, as its visitors would see it. Throws NOT_FOUND when its list does not exist. */
export async function describeDraft(ctx: Context, input: FormInput): Promise<PublicForm> {
  requireRole(ctx, "viewer");
  const { db, projectId } = ctx;
  const topicIds = (input.topicIds ?? []).flatMap((id) => decodeId("topic", id) ?? []);
  const list = input.listId ? await findListRow(db, ctx, input.listId) : null;
  const [[project], fields, named] = await Promise.all([
    db.select({ brand: brandColumns }).from(projects).where(eq(projects.id, projectId)),
    list ? fieldRows(db, list.id) : [],
    topicIds.length === 0
      ? []
      : db
          .select({ name: topics.name })
          .from(topics)
          .where(and(eq(topics.projectId, projectId), inArray(topics.id, topicIds))),
  ]);
  if (!project) throw notFound();
  const id = newId(projectId);
  const row = {
    ...{ id, projectId, name: input.name, open: true, listId: list?.id ?? null, topicIds },
    ...{ questions: input.questions ?? [], texts: input.texts ?? {}, look: input.look ?? {} },
    ...{ thanksUrl: input.thanksUrl ?? null, doubleOptIn: input.doubleOptIn ?? true },
    ...{ proofOfWork: input.proofOfWork ?? false, language: input.language ?? null },
    confirmationTemplateId: decodeId("template", input.confirmationTemplateId ?? ""),
    ...{ createdAt: new Date(), updatedAt: new Date() },
  };
  const publicId = encodeId("form", id);
  return describeForm({ publicId, row, ...project, now: 0, list, fields, topics: named });
}
