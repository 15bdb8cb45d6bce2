import type { Metadata } from "next";
import { z } from "zod";
import { FormHeader } from "@/components/forms/form-header";
import { FormShare } from "@/components/forms/form-share";
import { getFormMarkup } from "@/lib/domain/forms/preview";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { t } from "@/lib/ground/texts/t";
import { readQuery, type SearchParams } from "../../../../search-params";
import { openForm } from "../sign-up-form";

export function generateMetadata(): Metadata {
  return { title: t("Put the form on your page") };
}

const shareQuery = z.strictObject({ language: z.string().max(35).optional() });

export default async function ShareFormPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string; form: string }>;
  searchParams: SearchParams;
}) {
  const { context, form, canSend } = await openForm(await params);
  const [settings, query] = await Promise.all([
    getProjectSettings(context),
    readQuery(shareQuery, searchParams),
  ]);
  const { languages } = settings;
  const chosen = languages.find(({ code }) => code === query.language)?.code;
  const language = chosen ?? settings.language;
  const snippet = await getFormMarkup(context, form.id, { language });
  return (
    <>
      <FormHeader initial={form} canSend={canSend} />
      <FormShare
        key={language}
        form={form}
        snippet={snippet}
        languages={languages}
        language={language}
      />
    </>
  );
}
