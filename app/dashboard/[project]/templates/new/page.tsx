import type { Metadata } from "next";
import { z } from "zod";
import { branded } from "@/components/mail-editor/branded";
import { starterLanguageOf, type StarterLanguage } from "@/components/mail-editor/starter-words";
import { startersIn } from "@/components/mail-editor/starters";
import { TemplateEditor } from "@/components/templates/template-editor";
import type { ProjectSettings } from "@/lib/domain/projects/schema";
import { getProjectSettings } from "@/lib/domain/projects/settings";
import { t } from "@/lib/ground/texts/t";
import { readQuery, type SearchParams } from "../../../search-params";
import { openProject } from "../../../session";
import { senderDomains } from "../sender-domains";

export function generateMetadata(): Metadata {
  return { title: t("New template") };
}

const newTemplateQuery = z.strictObject({ begin: z.string().max(50).optional() });

/** The gallery's design of that id, in the language and in the look of the project's brand; null: none. */
function beginning({ brand }: ProjectSettings, language: StarterLanguage, id: string | undefined) {
  const starter = startersIn(language).find((other) => other.id === id);
  if (!starter) return null;
  return brand ? { ...starter, design: branded(starter.design, brand) } : starter;
}

export default async function NewTemplatePage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { context } = await openProject((await params).project);
  const { begin } = await readQuery(newTemplateQuery, searchParams);
  const [settings, domains] = await Promise.all([
    getProjectSettings(context),
    senderDomains(context),
  ]);
  const language = starterLanguageOf(settings.language);
  return (
    <TemplateEditor
      initial={null}
      begin={beginning(settings, language, begin)}
      domains={domains}
      language={language}
    />
  );
}
