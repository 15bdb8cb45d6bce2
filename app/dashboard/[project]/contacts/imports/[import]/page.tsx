import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ImportView } from "@/components/imports/import-view";
import { isAppError } from "@/lib/ground/errors";
import { getImport } from "@/lib/domain/imports/imports";
import { openProject } from "../../../../session";

export const metadata: Metadata = { title: "Import" };

export default async function ImportPage({
  params,
}: {
  params: Promise<{ project: string; import: string }>;
}) {
  const { project, import: id } = await params;
  const { context } = await openProject(project);
  const found = await getImport(context, id).catch((error: unknown) => {
    if (isAppError(error) && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  return <ImportView initial={found} />;
}
