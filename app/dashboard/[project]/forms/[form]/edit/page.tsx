import type { Metadata } from "next";
import { FormEditor } from "@/components/forms/form-editor";
import { t } from "@/lib/ground/texts/t";
import { formChoices } from "../../choices";
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
  const choices = await formChoices(context);
  return <FormEditor key={form.id} initial={form} canSend={canSend} choices={choices} />;
}
