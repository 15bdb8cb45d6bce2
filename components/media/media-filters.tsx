"use client";

import { FilterBar } from "@/components/list-page/filter-bar";
import { SearchField } from "@/components/list-page/search-field";
import { Select } from "@/components/ui/select";
import type { FileQuery } from "@/lib/domain/files/schema";
import { phrases, t } from "@/lib/ground/texts/t";

/** The library has no table, whose heads would say this. */
const orders = phrases([
  { value: "", label: "Newest first" },
  { value: "createdAt", label: "Oldest first" },
  { value: "name", label: "By name" },
  { value: "-size", label: "Largest first" },
]);

/** Which files the library shows, and in what order; kept in the URL. */
export function MediaFilters({ query }: { query: FileQuery }) {
  return (
    <FilterBar of={t("Media")} query={query}>
      {(set) => (
        <>
          <SearchField
            label={t("Search by name or folder")}
            value={query.search ?? ""}
            onChange={(search) => set({ search })}
            className="col-span-2 sm:w-96"
          />
          <Select
            label={t("Order")}
            options={orders}
            value={query.sort ?? ""}
            onChange={(sort) => set({ sort })}
            className="col-span-2 sm:w-44!"
          />
        </>
      )}
    </FilterBar>
  );
}
