import type { Metadata } from "next";
import { TemplateEditor } from "@/components/templates/template-editor";
import { openProject } from "../../../session";

export const metadata: Metadata = { title: "New template" };

export default async function NewTemplatePage({
  params,
}: {
  params: Promise<{ project: string }>;
}) {
  await openProject((await params).project);
  return <TemplateEditor initial={null} />;
}
