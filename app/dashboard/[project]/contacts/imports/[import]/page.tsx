import type { Metadata } from "next";
import { ImportView } from "@/components/imports/import-view";
import { getImport } from "@/lib/domain/imports/imports";
import { foundOr404 } from "../../../../found-or-404";
import { openProject } from "../../../../session";

export const metadata: Metadata = { title: "Import" };

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
