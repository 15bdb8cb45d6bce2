import type { Metadata } from "next";
import { ImportView } from "@/components/imports/import-view";
import { getImport } from "@/lib/domain/imports/imports";
import { t } from "@/lib/ground/texts/t";
import { foundOr404 } from "../../../../found-or-404";
import { openProject } from "../../../../session";

export function generateMetadata(): Metadata {
  return { title: t("Import") };
}

export default async function ImportPage({
  params,
}: {
  params: Promise<{ project: string; import: string }>;
}) {
  const { project, import: id } = await params;
  const { context } = await openProject(project);
  const contactImport = await foundOr404(getImport(context, id));
  return <ImportView initial={contactImport} />;
}
