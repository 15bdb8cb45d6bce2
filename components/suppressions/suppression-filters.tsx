"use client";

import { ColumnChoice } from "@/components/list-page/column-choice";
import { FilterBar } from "@/components/list-page/filter-bar";
import { SearchField } from "@/components/list-page/search-field";
import { SaveView } from "@/components/saved-views/save-view";
import { Select } from "@/components/ui/select";
import type { SavedViewList } from "@/lib/domain/saved-views/schema";
import type { SuppressionQuery } from "@/lib/domain/suppressions/schema";
import { t } from "@/lib/ground/texts/t";
import { suppressionColumns, type SuppressionColumn } from "./columns";
import { reasonOptions } from "./reasons";

/** Which suppressions are listed; kept in the URL. */
export function SuppressionFilters({
  query,
  views,
  columns,
}: {
  query: SuppressionQuery;
  /** The reader's own, of this page. */
  views: SavedViewList;
  columns: readonly SuppressionColumn[];
}) {
  return (
    <FilterBar
      of={t("Suppressions")}
      query={query}
      actions={
        <>
          <SaveView page="suppressions" query={query} initial={views} />
          <ColumnChoice
            set={suppressionColumns}
            columns={columns}
            at="suppressions"
            about={t("What the list shows beside an address or domain.")}
            own={t("A suppression’s own")}
          />
        </>
      }
    >
      {(set) => (
        <>
          <SearchField
            label={t("Search by address")}
            value={query.search ?? ""}
            onChange={(search) => set({ search })}
            className="col-span-2 sm:min-w-60 sm:flex-1"
          />
          <Select
            label={t("Reason")}
            options={[{ value: "", label: t("Any reason") }, ...reasonOptions()]}
            value={query.reason ?? ""}
            onChange={(reason) => set({ reason })}
            className="col-span-2 sm:w-52!"
          />
        </>
      )}
    </FilterBar>
  );
}
