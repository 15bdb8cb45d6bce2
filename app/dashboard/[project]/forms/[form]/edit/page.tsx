import type { Metadata } from "next";
import { FormEditor } from "@/components/forms/form-editor";
import { formChoices } from "../../choices";
import { openForm } from "../sign-up-form";

export const metadata: Metadata = { title: "Edit form" };

export default async function EditFormPage({
  params,
}: {
  params: Promise<{ project: string; form: string }>;
}) {
  const { context, form } = await openForm(await params);
  return <FormEditor key={form.id} initial={form} choices={await formChoices(context)} />;
}
