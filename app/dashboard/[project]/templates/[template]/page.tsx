import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { TemplateEditor } from "@/components/templates/template-editor";
import { isAppError } from "@/lib/ground/errors";
import { getTemplate } from "@/lib/domain/templates/templates";
import { openProject } from "../../../session";

export const metadata: Metadata = { title: "Template" };

export default async function TemplatePage({
  params,
}: {
  params: Promise<{ project: string; template: string }>;
}) {
  const { project, template } = await params;
  const { context } = await openProject(project);
  const found = await getTemplate(context, template).catch((error: unknown) => {
    if (isAppError(error) && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  return <TemplateEditor key={found.id} initial={found} />;
}
