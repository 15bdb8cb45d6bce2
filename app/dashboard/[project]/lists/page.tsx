import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ListSearch } from "@/components/lists/list-search";
import { ListTable } from "@/components/lists/list-table";
import { LinkButton } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";
import { isAppError } from "@/lib/ground/errors";
import { listMailingLists } from "@/lib/domain/lists/overview";
import { listQuery } from "@/lib/domain/lists/schema";
import { readQuery, type SearchParams } from "../../search-params";
import { openProject } from "../../session";

export const metadata: Metadata = { title: "Lists" };

export default async function ListsPage({
  params,
  searchParams,
}: {
  params: Promise<{ project: string }>;
  searchParams: SearchParams;
}) {
  const { project, context } = await openProject((await params).project);
  const query = await readQuery(listQuery, searchParams);
  const lists = await listMailingLists(context, query).catch((error: unknown) => {
    // A cursor of another list: the list from its start.
    if (isAppError(error) && error.code === "VALIDATION_ERROR") {
      redirect(`/dashboard/${project.id}/lists`);
    }
    throw error;
  });
  return (
    <>
      <PageHeader
        title="Lists"
        description="Newsletters that people join and leave by themselves."
        actions={
          context.role !== "viewer" && (
            <LinkButton href={`/dashboard/${project.id}/lists/new`} variant="primary">
              <Plus aria-hidden /> Create list
            </LinkButton>
          )
        }
      />
      <ListSearch query={query} />
      <ListTable key={JSON.stringify(query)} initial={lists} query={query} />
    </>
  );
}
