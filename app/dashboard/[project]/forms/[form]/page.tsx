import type { Metadata } from "next";
import { FormHeader } from "@/components/forms/form-header";
import { FormResults } from "@/components/forms/form-results";
import { getFormFigures } from "@/lib/domain/forms/figures";
import { figuresQuery } from "@/lib/domain/forms/schema";
import { t } from "@/lib/ground/texts/t";
import { readQuery, type SearchParams } from "../../../search-params";
import { openForm } from "./sign-up-form";

export function generateMetadata(): Metadata {
  return { title: t("Form") };
}

export default async function FormPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string; form: string }>;
  searchParams: SearchParams;
}) {
  const { context, form, canSend } = await openForm(await params);
  const { days } = await readQuery(figuresQuery, searchParams);
  const figures = await getFormFigures(context, form.id, { days });
  return (
    <>
      <FormHeader initial={form} canSend={canSend} />
      <FormResults key={days} form={form} figures={figures} days={days} />
    </>
  );
}
