import type { Metadata } from "next";
import { FormEditor } from "@/components/forms/form-editor";
import { t } from "@/lib/ground/texts/t";
import { formChoices, listOf } from "../../choices";
import { openForm } from "../sign-up-form";

export function generateMetadata(): Metadata {
  return { title: t("Edit form") };
}

export default async function EditFormPage({
  params,
}: {
  params: Promise<{ project: string; form: string }>;
}) {
  const { context, form, canSend } = await openForm(await params);
  const [choices, list] = await Promise.all([formChoices(context), listOf(context, form.listId)]);
  return (
    <FormEditor key={form.id} initial={form} list={list} canSend={canSend} choices={choices} />
  );
}
