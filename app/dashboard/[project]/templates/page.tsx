import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { TemplateFilters } from "@/components/templates/template-filters";
import { TemplateList } from "@/components/templates/template-list";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { templateQuery } from "@/lib/domain/templates/schema";
import { listTemplates } from "@/lib/domain/templates/templates";
import { t } from "@/lib/ground/texts/t";
import { openListPage, type ListPageProps } from "../../list-page";

export function generateMetadata(): Metadata {
  return { title: t("Templates") };
}

export default async function TemplatesPage(props: ListPageProps) {
  const { project, context, query, rows } = await openListPage(props, {
    path: "templates",
    schema: templateQuery,
    read: listTemplates,
  });
  return (
    <>
      <PageHeader
        title={t("Templates")}
        description={t("Content that you write once and send by its id. Every version is kept.")}
        actions={
          context.role !== "viewer" && (
            <LinkButton href={`/dashboard/${project.id}/templates/new`} variant="primary">
              <Plus aria-hidden /> {t("Create template")}
            </LinkButton>
          )
        }
      />
      <TemplateFilters query={query} />
      <TemplateList key={JSON.stringify(query)} initial={rows} query={query} />
    </>
  );
}
