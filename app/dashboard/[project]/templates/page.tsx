import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { TemplateList } from "@/components/templates/template-list";
import { TemplateSearch } from "@/components/templates/template-search";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { templateQuery } from "@/lib/domain/templates/schema";
import { listTemplates } from "@/lib/domain/templates/templates";
import { readQuery, type SearchParams } from "../../search-params";
import { openProject } from "../../session";

export const metadata: Metadata = { title: "Templates" };

export default async function TemplatesPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { project, context } = await openProject((await params).project);
  const query = await readQuery(templateQuery, searchParams);
  const templates = await listTemplates(context, query);
  return (
    <>
      <PageHeader
        title="Templates"
        description="Content that is written once and sent by its id, with each version kept."
        actions={
          context.role !== "viewer" && (
            <LinkButton href={`/dashboard/${project.id}/templates/new`} variant="primary">
              <Plus aria-hidden /> Create template
            </LinkButton>
          )
        }
      />
      <TemplateSearch query={query} />
      <TemplateList key={JSON.stringify(query)} initial={templates} query={query} />
    </>
  );
}
