import type { Metadata } from "next";
import { AddSuppression } from "@/components/suppressions/add-suppression";
import { ExportSuppressions } from "@/components/suppressions/export-suppressions";
import { ImportSuppressions } from "@/components/suppressions/import-suppressions";
import { SuppressionFilters } from "@/components/suppressions/suppression-filters";
import { SuppressionList } from "@/components/suppressions/suppression-list";
import { PageHeader } from "@/components/ui/page-header";
import { suppressionQuery } from "@/lib/domain/suppressions/schema";
import { listSuppressions } from "@/lib/domain/suppressions/suppressions";
import { openListPage, type ListPageProps } from "../../list-page";

export const metadata: Metadata = { title: "Suppressions" };

export default async function SuppressionsPage(props: ListPageProps) {
  const { query, rows } = await openListPage(props, {
    path: "suppressions",
    schema: suppressionQuery,
    read: listSuppressions,
  });
  return (
    <>
      <PageHeader
        title="Suppressions"
        description="Nothing is sent to these addresses: they bounced, their owners reported spam, or somebody here added them."
        actions={
          <>
            <ExportSuppressions query={query} />
            <ImportSuppressions />
            <AddSuppression />
          </>
        }
      />
      <SuppressionFilters query={query} />
      <SuppressionList key={JSON.stringify(query)} initial={rows} query={query} />
    </>
  );
}
