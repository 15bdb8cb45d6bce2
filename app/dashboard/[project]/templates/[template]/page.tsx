import type { Metadata } from "next";
import { TemplateEditor } from "@/components/templates/template-editor";
import { readTemplateDraft } from "@/lib/domain/templates/drafts";
import { getTemplate } from "@/lib/domain/templates/templates";
import { t } from "@/lib/ground/texts/t";
import { foundOr404 } from "../../../found-or-404";
import { openProject } from "../../../session";
import { senderDomains } from "../sender-domains";

export function generateMetadata(): Metadata {
  return { title: t("Template") };
}

export default async function TemplatePage({
  params,
}: {
  params: Promise<{ project: string; template: string }>;
}) {
  const { project, template } = await params;
  const { context } = await openProject(project);
  const [saved, kept, domains] = await Promise.all([
    foundOr404(getTemplate(context, template)),
    foundOr404(readTemplateDraft(context, template)),
    senderDomains(context),
  ]);
  return <TemplateEditor key={saved.id} initial={saved} kept={kept} domains={domains} />;
}
