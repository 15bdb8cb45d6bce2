import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { z } from "zod";
import { FormEditor } from "@/components/forms/form-editor";
import { firstQuestions } from "@/components/forms/questions";
import type { Context } from "@/lib/ground/context";
import { getMailingList } from "@/lib/domain/lists/overview";
import { isAppError } from "@/lib/ground/errors";
import { t } from "@/lib/ground/texts/t";
import { readQuery, type SearchParams } from "../../../search-params";
import { openProject } from "../../../session";
import { formChoices } from "../choices";

export function generateMetadata(): Metadata {
  return { title: t("New form") };
}

const newFormQuery = z.strictObject({ listId: z.string().max(100).optional() });

/**
 * Starts with the list and its required fields; without a list if none or an unknown one is named.
 */
async function startOf(context: Context, listId: string | undefined) {
  try {
    const list = listId === undefined ? null : await getMailingList(context, listId);
    return { listId: list?.id ?? "", questions: firstQuestions(list?.fields ?? []) };
  } catch (error) {
    if (!isAppError(error) || error.code !== "NOT_FOUND") throw error;
    return { listId: "", questions: firstQuestions([]) };
  }
}

export default async function NewFormPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { project, context } = await openProject((await params).project);
  if (context.role === "viewer") redirect(`/dashboard/${project.id}/forms`);
  const [choices, { listId }] = await Promise.all([
    formChoices(context),
    readQuery(newFormQuery, searchParams),
  ]);
  const start = await startOf(context, listId ?? choices.lists[0]?.id);
  return <FormEditor initial={null} start={start} choices={choices} />;
}
