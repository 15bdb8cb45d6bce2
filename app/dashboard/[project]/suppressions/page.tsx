import type { Metadata } from "next";
import { SavedViews } from "@/components/saved-views/saved-views";
import { AddSuppression } from "@/components/suppressions/add-suppression";
import { suppressionColumns } from "@/components/suppressions/columns";
import { ExportSuppressions } from "@/components/suppressions/export-suppressions";
import { ImportSuppressions } from "@/components/suppressions/import-suppressions";
import { SuppressionFilters } from "@/components/suppressions/suppression-filters";
import { SuppressionList } from "@/components/suppressions/suppression-list";
import { PageHeader } from "@/components/ui/page-header";
import { listSavedViews } from "@/lib/domain/saved-views/saved-views";
import { suppressionQuery } from "@/lib/domain/suppressions/schema";
import { listSuppressions } from "@/lib/domain/suppressions/suppressions";
import { t } from "@/lib/ground/texts/t";
import { chosenColumns, openListPage, type ListPageProps } from "../../list-page";

export function generateMetadata(): Metadata {
  return { title: t("Suppressions") };
}

export default async function SuppressionsPage(props: ListPageProps) {
  const { query, rows } = await openListPage(props, {
    path: "suppressions",
    schema: suppressionQuery,
    read: (context, query) =>
      Promise.all([
        listSuppressions(context, query),
        listSavedViews(context, { page: "suppressions" }),
      ]),
  });
  const [suppressions, views] = rows;
  const columns = await chosenColumns(suppressionColumns);
  return (
    <>
      <PageHeader
        title={t("Suppressions")}
        description={t(
          "Nothing is sent to these addresses: they bounced, their owners reported spam, or somebody here added them.",
        )}
        actions={
          <>
            <ExportSuppressions query={query} />
            <ImportSuppressions />
            <AddSuppression />
          </>
        }
      />
      <SavedViews page="suppressions" query={query} initial={views} />
      <SuppressionFilters query={query} views={views} columns={columns} />
      <SuppressionList
        key={JSON.stringify(query)}
        initial={suppressions}
        query={query}
        columns={columns}
      />
    </>
  );
}
