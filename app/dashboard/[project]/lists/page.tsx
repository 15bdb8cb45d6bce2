import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { SearchFilter } from "@/components/list-page/search-filter";
import { ListTable } from "@/components/lists/list-table";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { listMailingLists } from "@/lib/domain/lists/overview";
import { listQuery } from "@/lib/domain/lists/schema";
import { t } from "@/lib/ground/texts/t";
import { openListPage, type ListPageProps } from "../../list-page";

export function generateMetadata(): Metadata {
  return { title: t("Lists") };
}

export default async function ListsPage(props: ListPageProps) {
  const { project, context, query, rows } = await openListPage(props, {
    path: "lists",
    schema: listQuery,
    read: listMailingLists,
  });
  return (
    <>
      <PageHeader
        title={t("Lists")}
        description={t("Newsletters that people can join and leave on their own.")}
        actions={
          context.role !== "viewer" && (
            <LinkButton href={`/dashboard/${project.id}/lists/new`} variant="primary">
              <Plus aria-hidden /> {t("Create list")}
            </LinkButton>
          )
        }
      />
      <SearchFilter of={t("Lists")} value={query.search} />
      <ListTable key={JSON.stringify(query)} initial={rows} query={query} />
    </>
  );
}
