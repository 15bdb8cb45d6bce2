"use client";

import { FilterBar } from "@/components/list-page/filter-bar";
import { SearchField } from "@/components/list-page/search-field";
import { Select } from "@/components/ui/select";
import type { DomainQuery } from "@/lib/domain/sending-domains/schema";
import { phrases, t } from "@/lib/ground/texts/t";

const statuses = phrases([
  { value: "", label: "Any status" },
  { value: "VERIFIED", label: "Verified" },
  { value: "PENDING", label: "Waiting for DNS" },
  { value: "FAILED", label: "Not verified" },
]);

/** Which domains the list shows; kept in the URL. */
export function DomainFilters({ query }: { query: DomainQuery }) {
  return (
    <FilterBar of={t("Domains")} query={query}>
      {(set) => (
        <>
          <SearchField
            label={t("Search by name")}
            value={query.search ?? ""}
            onChange={(search) => set({ search })}
            className="col-span-2 sm:w-72"
          />
          <Select
            label={t("Status")}
            options={statuses}
            value={query.status ?? ""}
            onChange={(status) => set({ status })}
            className="sm:w-44!"
          />
        </>
      )}
    </FilterBar>
  );
}
