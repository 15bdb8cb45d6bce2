"use client";

import { FilterBar } from "@/components/list-page/filter-bar";
import { SearchField } from "@/components/list-page/search-field";
import { Select } from "@/components/ui/select";
import type { SubscriberQuery } from "@/lib/domain/lists/schema";
import { t } from "@/lib/ground/texts/t";
import { memberStatuses } from "./subscriber-status";

/** Which of a list's subscribers are shown; kept in the URL. */
export function SubscriberFilters({ query }: { query: SubscriberQuery }) {
  return (
    <FilterBar of={t("Subscribers")} query={query}>
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
