"use client";

import { FilterBar } from "@/components/list-page/filter-bar";
import { SearchField } from "@/components/list-page/search-field";
import { Select } from "@/components/ui/select";
import type { TemplateQuery } from "@/lib/domain/templates/schema";
import { phrases, t } from "@/lib/ground/texts/t";

const orders = phrases({
  "": "Newest first",
  name: "By name, A to Z",
  "-name": "By name, Z to A",
  "-updatedAt": "Last changed first",
  updatedAt: "Longest unchanged first",
});

/** Which templates the gallery shows, and in which order; kept in the URL. */
export function TemplateFilters({ query }: { query: TemplateQuery }) {
  const { sort = "" } = query;
  return (
    <FilterBar of={t("Templates")} query={query}>
      {(set) => (
        <>
          <SearchField
            label={t("Search by name")}
            value={query.search ?? ""}
            onChange={(search) => set({ search })}
            className="col-span-2 sm:w-72"
          />
          <Select
            label={t("Order")}
            options={(Object.keys(orders) as (keyof typeof orders)[]).map((value) => ({
              value,
              label: orders[value],
            }))}
            value={sort === "-createdAt" ? "" : sort}
            onChange={(chosen) => set({ sort: chosen })}
            className="col-span-2 sm:w-52!"
          />
        </>
      )}
    </FilterBar>
  );
}
