import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { z } from "zod";
import { FormEditor } from "@/components/forms/form-editor";
import { firstQuestions } from "@/components/forms/questions";
import { t } from "@/lib/ground/texts/t";
import { readQuery, type SearchParams } from "../../../search-params";
import { openProject } from "../../../session";
import { formChoices, listOf } from "../choices";

export function generateMetadata(): Metadata {
  return { title: t("New form") };
}

const newFormQuery = z.strictObject({ listId: z.string().max(100).optional() });

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
  // None, if an unknown one is named.
  const list = await listOf(context, listId ?? choices.lists[0]?.id);
  return (
    <FormEditor
      initial={null}
      start={firstQuestions(list?.fields ?? [])}
      list={list}
      choices={choices}
    />
  );
}
