import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { SearchFilter } from "@/components/list-page/search-filter";
import { ListTable } from "@/components/lists/list-table";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { listMailingLists } from "@/lib/domain/lists/overview";
import { listQuery } from "@/lib/domain/lists/schema";
import { openListPage, type ListPageProps } from "../../list-page";

export const metadata: Metadata = { title: "Lists" };

export default async function ListsPage(props: ListPageProps) {
  const { project, context, query, rows } = await openListPage(props, {
    path: "lists",
    schema: listQuery,
    read: listMailingLists,
  });
  return (
    <>
      <PageHeader
        title="Lists"
        description="Newsletters that people can join and leave on their own."
        actions={
          context.role !== "viewer" && (
            <LinkButton href={`/dashboard/${project.id}/lists/new`} variant="primary">
              <Plus aria-hidden /> Create list
            </LinkButton>
          )
        }
      />
      <SearchFilter of="Lists" value={query.search} />
      <ListTable key={JSON.stringify(query)} initial={rows} query={query} />
    </>
  );
}
