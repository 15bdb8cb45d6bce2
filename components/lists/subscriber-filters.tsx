"use client";

import { FilterBar } from "@/components/list-page/filter-bar";
import { SearchField } from "@/components/list-page/search-field";
import { SaveView } from "@/components/saved-views/save-view";
import { Select } from "@/components/ui/select";
import type { SubscriberQuery } from "@/lib/domain/lists/schema";
import type { SavedViewList } from "@/lib/domain/saved-views/schema";
import { t } from "@/lib/ground/texts/t";
import { memberStatuses } from "./subscriber-status";

/** Which of a list's subscribers are shown; kept in the URL. */
export function SubscriberFilters({
  query,
  views,
}: {
  query: SubscriberQuery;
  /** The reader's own, of every list. */
  views: SavedViewList;
}) {
  return (
    <FilterBar
      of={t("Subscribers")}
      query={query}
      actions={<SaveView page="subscribers" query={query} initial={views} />}
    >
      {(set) => (
        <>
          <SearchField
            label={t("Search by address or name")}
            value={query.search ?? ""}
            onChange={(search) => set({ search })}
            className="col-span-2 sm:w-72"
          />
          <Select
            label={t("Status")}
            options={[
              { value: "", label: t("Any status") },
              ...Object.entries(memberStatuses).map(([value, { label }]) => ({ value, label })),
            ]}
            value={query.status ?? ""}
            onChange={(status) => set({ status })}
            className="sm:w-48!"
          />
        </>
      )}
    </FilterBar>
  );
}
